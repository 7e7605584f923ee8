/** The user's input: an outfitter's offerings, in API format, and its rules. */
import type { offeringsCreate, offeringsSetHours } from "@trailbook/core/offering"
import type { sessionsCreate } from "@trailbook/core/session"
import type { Storage } from "@trailbook/core/storage"
import type * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import type { World } from "./World.ts"

/**
 * An offering in the format of `offerings.create`, with weekly hours as in `offerings.set_hours` and sessions as in
 * `sessions.create`.
 *
 * @example
 * const rafts: OfferingInput = {
 *   name: "Raft",
 *   kind: "rental",
 *   duration_minutes: 240,
 *   capacity: 6,
 *   buffer_minutes: 30,
 *   hours: [{ weekday: 6, start_time: "08:00", end_time: "18:00" }]
 * }
 */
export type OfferingInput = Schema.Schema.Encoded<typeof offeringsCreate.input> & {
  /** The hours for appointments and rentals. Default: daily from 09:00 to 17:00. */
  readonly hours?: Schema.Schema.Encoded<typeof offeringsSetHours.input>["hours"]
  /** A class's sessions. If omitted, every scenario schedules two sessions. */
  readonly sessions?: ReadonlyArray<Omit<Schema.Schema.Encoded<typeof sessionsCreate.input>, "offering_id">>
}

/**
 * An outfitter's rule: a property that must hold after every step of every scenario because of how the offerings are
 * set up.
 */
export interface Rule {
  /** The rule as a sentence, used as the name of its test. */
  readonly name: string
  /** Returns `false` or throws if the rule is broken. The thrown error is part of the report. */
  readonly check: (world: World) => boolean | void
}

export interface OfferingSetup {
  /** The outfitter's IANA time zone. Hours and dates are in this time zone. */
  readonly timezone: string
  readonly offerings: readonly [OfferingInput, ...ReadonlyArray<OfferingInput>]
  readonly rules?: ReadonlyArray<Rule>
  /** An adapter's storage layer. The laws add data to the storage, which does not have to be empty. */
  readonly storage: Layer.Layer<Storage, unknown>
  /**
   * A timestamp. Scenarios start within a year of this time. Default: the first session of a class, or the start of
   * 2027.
   */
  readonly from?: string
  /** The number of scenarios per law. Default: 50. */
  readonly runs?: number
  /** The maximum number of steps per scenario. Default: 20. */
  readonly steps?: number
  /** The seed that replays a failed law's scenarios. Default: random. */
  readonly seed?: number
}
