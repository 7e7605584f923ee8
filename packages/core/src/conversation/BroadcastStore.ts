import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Position } from "../wire/Cursor.ts"
import type { Broadcast, Target } from "./Broadcast.ts"

/**
 * A broadcast refers to its org, and no two of an org have one key. What breaks this
 * is not stored: that is a defect.
 *
 * @category ports
 */
export class BroadcastStore extends Context.Tag("@trailbook/core/BroadcastStore")<
  BroadcastStore,
  {
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<Broadcast>>
    /** Finds it, and keeps it from changing until the unit of work ends. */
    readonly lock: (key: OrgKey) => Effect.Effect<Option.Option<Broadcast>>
    /** The same by what was to be said to whom. */
    readonly lockByKey: (orgId: string, key: string) => Effect.Effect<Option.Option<Broadcast>>
    /** Inserts it, or replaces the one with its key. */
    readonly put: (broadcast: Broadcast) => Effect.Effect<void>
    /** Confirmed bookings of the target by start and id, and after one of them: where each is, and whose. */
    readonly booked: (query: {
      readonly orgId: string
      readonly target: Target
      readonly after: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Position & { readonly customerId: string }>>
    /**
     * Of these customers those with a confirmed booking of the target, each once and by
     * id, with the first of those bookings by start and id.
     */
    readonly guests: (query: {
      readonly orgId: string
      readonly target: Target
      readonly among: ReadonlyArray<string>
    }) => Effect.Effect<ReadonlyArray<{ readonly customerId: string; readonly bookingId: string }>>
  }
>() {}
