import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Position } from "../wire/Cursor.ts"
import type { Customer } from "./Customer.ts"

/**
 * A customer refers to their org, and no two customers of an org have one e-mail
 * address unless at least one of them is erased. What breaks this is not stored:
 * that is a defect.
 */
export class CustomerStore extends Context.Tag("@trailbook/core/CustomerStore")<
  CustomerStore,
  {
    /**
     * Finds customers, erased ones included, in any order: each once, however often
     * their key is given. Keys that name none are left out.
     */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Customer>>
    /**
     * Finds customers as `find` does and keeps them from changing until the unit of
     * work ends; locked in the order of ids.
     */
    readonly lock: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Customer>>
    /**
     * Those with these addresses who are not erased, each once, however often their
     * address is given, in any order, and kept from changing until the unit of work
     * ends; locked in the order of ids. Addresses come in lower case and are
     * compared as they are.
     */
    readonly lockByEmail: (
      keys: ReadonlyArray<{ readonly orgId: string; readonly email: string }>
    ) => Effect.Effect<ReadonlyArray<Customer>>
    /**
     * Newest first, before a position. With `q` those alone that it finds
     * (`Search.ts`) by their words and the references of their bookings.
     */
    readonly list: (query: {
      readonly orgId: string
      readonly q?: string | undefined
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Customer>>
    /** Inserts each customer, or replaces the one with its key; no key is given twice. */
    readonly put: (customers: ReadonlyArray<Customer>) => Effect.Effect<void>
  }
>() {}
