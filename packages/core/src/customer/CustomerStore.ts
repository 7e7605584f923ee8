/**
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Key } from "../offering/OfferingStore.ts"
import type { Position } from "../wire/Cursor.ts"
import type { Customer } from "./Customer.ts"

/**
 * @since 0.1.0
 * @category ports
 */
export class CustomerStore extends Context.Tag("@trailbook/core/CustomerStore")<
  CustomerStore,
  {
    /** Finds customers, erased ones included, in any order; keys that name none are left out. */
    readonly find: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<Customer>>
    /** Finds customers, erased ones included, and keeps them from changing until the unit of work ends. */
    readonly lock: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<Customer>>
    /** Those with these addresses who are not erased, kept from changing until the unit of work ends. */
    readonly lockByEmail: (
      keys: ReadonlyArray<{ readonly orgId: string; readonly email: string }>
    ) => Effect.Effect<ReadonlyArray<Customer>>
    /** Newest first, before a position; `q` is looked for in name, e-mail and phone, without regard to case. */
    readonly list: (query: {
      readonly orgId: string
      readonly q: string | undefined
      readonly after: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Customer>>
    /** Inserts each customer, or replaces the one with its key. */
    readonly put: (customers: ReadonlyArray<Customer>) => Effect.Effect<void>
  }
>() {}
