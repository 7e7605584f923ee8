import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type * as Instant from "../../time/Instant.ts"
import type { Position } from "../../wire/Cursor.ts"
import type { LedgerEntry } from "./LedgerEntry.ts"

/** A query for a page of an org's entries, newest first. */
export interface LedgerQuery {
  readonly orgId: string
  readonly bookingId?: string | undefined
  readonly method?: LedgerEntry["method"] | undefined
  /** Selects entries with `from <= createdAt < to`. */
  readonly from?: Instant.Instant | undefined
  readonly to?: Instant.Instant | undefined
  /** The last row of the previous page. */
  readonly after: Position | undefined
  readonly limit: number
}

/**
 * Stores the entries for bookings. An entry and its booking must belong to the same org. A writer must lock the booking
 * first.
 */
export class LedgerStore extends Context.Tag("@trailbook/core/LedgerStore")<
  LedgerStore,
  {
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<LedgerEntry>>
    readonly list: (query: LedgerQuery) => Effect.Effect<ReadonlyArray<LedgerEntry>>
    /** Inserts entries, or replaces them by key. A replaced entry keeps its `createdAt`. The keys must be distinct. */
    readonly put: (entries: ReadonlyArray<LedgerEntry>) => Effect.Effect<void>
    /** Erases the notes on all entries for these bookings. */
    readonly forgetNotes: (bookings: ReadonlyArray<OrgKey>) => Effect.Effect<void>
  }
>() {}
