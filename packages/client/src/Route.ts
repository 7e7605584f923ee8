import type { Operations } from "./operations.ts"

/** The HTTP mapping of an operation. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** `:id` is the input field in the path. */
  readonly path: `/${string}`
  /** Whether the operation is idempotent. With a `key`, it is idempotent under the same key. */
  readonly isRepeatable: boolean
  /** The input field with the idempotency key. */
  readonly key?: string
  /** The response field with the start of the next page. */
  readonly next?: "next_cursor" | "next_after" | "next_from"
}

export type Routes = {
  readonly [Group in keyof Operations]: { readonly [Name in keyof Operations[Group]]: Route }
}
