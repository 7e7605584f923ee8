import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Position } from "../../wire/Cursor.ts"
import type { Broadcast, Target } from "./Broadcast.ts"

/**
 * Stores broadcasts. A broadcast must reference an existing org, and its key must be unique within the org. A write
 * that violates these rules fails as a defect.
 */
export class BroadcastStore extends Context.Tag("@trailbook/core/BroadcastStore")<
  BroadcastStore,
  {
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<Broadcast>>
    /** Finds a broadcast and locks it until the transaction ends. */
    readonly lock: (key: OrgKey) => Effect.Effect<Option.Option<Broadcast>>
    /** Finds and locks a broadcast by the digest of its target and text. */
    readonly lockByKey: (orgId: string, key: string) => Effect.Effect<Option.Option<Broadcast>>
    /** Inserts a broadcast, or replaces the one with the same ID. */
    readonly put: (broadcast: Broadcast) => Effect.Effect<void>
    /**
     * Returns the position and the customer of each confirmed booking for the target, ordered by start and ID, starting
     * after a position.
     */
    readonly booked: (query: {
      readonly orgId: string
      readonly target: Target
      readonly after: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Position & { readonly customerId: string }>>
    /**
     * Returns the customers in `among` who have a confirmed booking for the target, sorted by ID. Each customer is
     * returned once, with the first of these bookings by start and ID.
     */
    readonly guests: (query: {
      readonly orgId: string
      readonly target: Target
      readonly among: ReadonlyArray<string>
    }) => Effect.Effect<ReadonlyArray<{ readonly customerId: string; readonly bookingId: string }>>
  }
>() {}
