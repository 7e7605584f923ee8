import type { Operations } from "./operations.ts"

/** How an operation travels over HTTP. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** `:id` names the field of the input that travels in the path. */
  readonly path: `/${string}`
  /** Sent twice it does what it does once: always, or, where there is a `key`, under the same key. */
  readonly isRepeatable: boolean
  /** The field of the input that makes it so. */
  readonly key?: string
  /** The field of an answer that says where the next page begins. */
  readonly next?: "next_cursor" | "next_after" | "next_from"
}

export type Routes = {
  readonly [Group in keyof Operations]: { readonly [Name in keyof Operations[Group]]: Route }
}
