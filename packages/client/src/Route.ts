import type { Operations } from "./operations.ts"

/** The HTTP request for an operation. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Each `:name` is replaced with the input field of that name. */
  readonly path: `/${string}`
  /** Whether the operation is safe to retry. If it has a `key`, it is safe to retry with the same key. */
  readonly isRepeatable: boolean
  /** The input field that contains the idempotency key. */
  readonly key?: string
  /** The response field that contains the position of the next page. */
  readonly next?: "next_cursor" | "next_after" | "next_from"
}

export type Routes = {
  readonly [Group in keyof Operations]: { readonly [Name in keyof Operations[Group]]: Route }
}
