import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Position } from "../wire/Cursor.ts"
import type { Kind, Offering } from "./Offering.ts"

/**
 * A row of an org, by its key.
 *
 * @category models
 */
export interface OrgKey {
  readonly orgId: string
  readonly id: string
}

/**
 * An offering refers to its org. One that refers to none is not stored: that is a
 * defect.
 *
 * @category ports
 */
export class OfferingStore extends Context.Tag("@trailbook/core/OfferingStore")<
  OfferingStore,
  {
    /**
     * Finds offerings, deleted ones included, in any order: each once, however
     * often its key is given. Keys that name none are left out.
     */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Offering>>
    /** Those that are not deleted, by creation and id, after a position. */
    readonly list: (query: {
      readonly orgId: string
      readonly kind?: Kind | undefined
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Offering>>
    /**
     * Finds offerings as `find` does and keeps them from changing until the unit
     * of work ends. Rows are locked in the order of their ids whatever
     * the order of the keys, so two units of work never wait for each other.
     */
    readonly lock: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Offering>>
    /** Inserts each offering, or replaces the one with its key; no key is given twice. */
    readonly put: (offerings: ReadonlyArray<Offering>) => Effect.Effect<void>
  }
>() {}
