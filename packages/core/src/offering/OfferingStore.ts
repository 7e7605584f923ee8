import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Position } from "../wire/Cursor.ts"
import type { Offering, OfferingKind } from "./Offering.ts"

/** The key for a row in an org. */
export interface OrgKey {
  readonly orgId: string
  readonly id: string
}

/** Stores offerings. An offering references its org. A write that violates this rule fails as a defect. */
export class OfferingStore extends Context.Tag("@trailbook/core/OfferingStore")<
  OfferingStore,
  {
    /**
     * Finds offerings by key, including deleted offerings. Returns each offering once, in any order. Skips keys without
     * an offering.
     */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Offering>>
    /** Lists the offerings after a position, ordered by creation time and ID. Skips deleted offerings. */
    readonly list: (query: {
      readonly orgId: string
      readonly kind?: OfferingKind | undefined
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Offering>>
    /**
     * Like `find`, but locks the offerings until the transaction ends. Rows are locked in ID order so that transactions
     * cannot deadlock.
     */
    readonly lock: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Offering>>
    /** Locks all of an org's offerings until the transaction ends, in ID order. Does not read their data. */
    readonly lockOfOrg: (orgId: string) => Effect.Effect<void>
    /** Inserts or replaces offerings by key. The keys must be distinct. */
    readonly put: (offerings: ReadonlyArray<Offering>) => Effect.Effect<void>
  }
>() {}
