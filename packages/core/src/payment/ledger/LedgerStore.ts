import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type * as Instant from "../../time/Instant.ts"
import type { Position } from "../../wire/Cursor.ts"
import type { LedgerEntry } from "./LedgerEntry.ts"

/** A page of an org's entries, newest first. */
export interface LedgerQuery {
  readonly orgId: string
  readonly bookingId?: string | undefined
  readonly method?: LedgerEntry["method"] | undefined
  /** `from <= createdAt < to`. */
  readonly from?: Instant.Instant | undefined
  readonly to?: Instant.Instant | undefined
  /** The last row of the previous page. */
  readonly after: Position | undefined
  readonly limit: number
}

/**
 * Stores the entries of bookings. An entry references a booking of the same org. Entries are changed only while their
 * booking is locked.
 */
export class LedgerStore extends Context.Tag("@trailbook/core/LedgerStore")<
  LedgerStore,
  {
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<LedgerEntry>>
    readonly list: (query: LedgerQuery) => Effect.Effect<ReadonlyArray<LedgerEntry>>
    /** Inserts or replaces entries by key. A replaced entry keeps its `createdAt`. The keys must be distinct. */
    readonly put: (entries: ReadonlyArray<LedgerEntry>) => Effect.Effect<void>
    /** Empties the notes of all entries of these bookings. */
    readonly forgetNotes: (bookings: ReadonlyArray<OrgKey>) => Effect.Effect<void>
  }
>() {}
