import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Position } from "../../wire/Cursor.ts"
import type { Broadcast, Target } from "./Broadcast.ts"

/** A broadcast refers to its org, and its key is unique within the org. Storing one that breaks this is a defect. */
export class BroadcastStore extends Context.Tag("@trailbook/core/BroadcastStore")<
  BroadcastStore,
  {
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<Broadcast>>
    /** Finds and locks a broadcast until the transaction ends. */
    readonly lock: (key: OrgKey) => Effect.Effect<Option.Option<Broadcast>>
    /** Finds and locks a broadcast by the digest of its target and text. */
    readonly lockByKey: (orgId: string, key: string) => Effect.Effect<Option.Option<Broadcast>>
    /** Inserts it, or replaces the one with its key. */
    readonly put: (broadcast: Broadcast) => Effect.Effect<void>
    /**
     * Confirmed bookings of the target, ordered by start and ID, after a position: the position and the customer of
     * each.
     */
    readonly booked: (query: {
      readonly orgId: string
      readonly target: Target
      readonly after: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Position & { readonly customerId: string }>>
    /**
     * The given customers that have a confirmed booking of the target, each once, ordered by ID, with the first of
     * these bookings by start and ID.
     */
    readonly guests: (query: {
      readonly orgId: string
      readonly target: Target
      readonly among: ReadonlyArray<string>
    }) => Effect.Effect<ReadonlyArray<{ readonly customerId: string; readonly bookingId: string }>>
  }
>() {}
