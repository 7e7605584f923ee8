import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Position } from "../wire/Cursor.ts"
import type { Customer } from "./Customer.ts"

/**
 * Stores customers. A customer must reference an existing org, and email addresses are unique within the org, except
 * among erased customers. A write that violates these rules fails as a defect and stores nothing.
 */
export class CustomerStore extends Context.Tag("@trailbook/core/CustomerStore")<
  CustomerStore,
  {
    /**
     * Returns each customer once, in any order, even if its key is repeated. Erased customers are included. Unknown
     * keys are skipped.
     */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Customer>>
    /** Like `find`, but locks the customers in ID order until the transaction ends. */
    readonly lock: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Customer>>
    /**
     * Finds the customers with these email addresses, except erased customers, and locks them in ID order until the
     * transaction ends. Returns each customer once, in any order. The addresses must be lowercase and are compared
     * exactly.
     */
    readonly lockByEmail: (
      keys: ReadonlyArray<{ readonly orgId: string; readonly email: string }>
    ) => Effect.Effect<ReadonlyArray<Customer>>
    /**
     * Lists customers, newest first, starting after a position. `q` searches the customers' words and their booking
     * references (`customerSearch.ts`).
     */
    readonly list: (query: {
      readonly orgId: string
      readonly q?: string | undefined
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Customer>>
    /** Inserts or replaces customers by key. The keys must be distinct. */
    readonly put: (customers: ReadonlyArray<Customer>) => Effect.Effect<void>
  }
>() {}
