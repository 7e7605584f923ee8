import type { Operations } from "./operations.ts"

/** The HTTP request of an operation. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** The client replaces each `:name` with the input field of this name. */
  readonly path: `/${string}`
  /** Whether a retry is safe. With a `key`, a retry is safe under the same key. */
  readonly isRepeatable: boolean
  /** The input field that contains the idempotency key. */
  readonly key?: string
  /** The response field that contains the start of the next page. */
  readonly next?: "next_cursor" | "next_after" | "next_from"
}

export type Routes = {
  readonly [Group in keyof Operations]: { readonly [Name in keyof Operations[Group]]: Route }
}
