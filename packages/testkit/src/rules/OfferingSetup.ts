/**
 * What an engineer puts in: an outfitter's offerings in the words of the API,
 * and rules of their own.
 */
import type { offeringsCreate, offeringsSetHours } from "@trailbook/core/offering/offeringOperations"
import type { sessionsCreate } from "@trailbook/core/session/sessionOperations"
import type { Storage } from "@trailbook/core/storage/Storage"
import type * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import type { World } from "./World.ts"

/**
 * An offering as `offerings.create` takes it, with its weekly hours as
 * `offerings.set_hours` and its sessions as `sessions.create` take them.
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
  /** Appointments and rentals; daily 09:00 to 17:00 when left out. */
  readonly hours?: Schema.Schema.Encoded<typeof offeringsSetHours.input>["hours"]
  /** Classes; when left out, every story schedules two. */
  readonly sessions?: ReadonlyArray<Omit<Schema.Schema.Encoded<typeof sessionsCreate.input>, "offering_id">>
}

/**
 * A rule of the outfitter's own: something that must be true after every step
 * of every story, because the offerings were set up so that it is.
 */
export interface Rule {
  /** The rule as one would say it; the name of its test. */
  readonly name: string
  /** It is broken when this answers `false` or throws; what is thrown is part of the report. */
  readonly check: (world: World) => boolean | void
}

export interface OfferingSetup {
  /** The outfitter's IANA time zone: hours and dates are local to it. */
  readonly timezone: string
  readonly offerings: readonly [OfferingInput, ...ReadonlyArray<OfferingInput>]
  readonly rules?: ReadonlyArray<Rule>
  /** What the bookings are kept in: an adapter's layer, which makes an empty storage or one that may be added to. */
  readonly storage: Layer.Layer<Storage, unknown>
  /** A timestamp. Stories begin within a year of it; the first session of a class, or else the beginning of 2027. */
  readonly from?: string
  /** How many stories each law is tried on; 50 when left out. */
  readonly runs?: number
  /** The most steps of a story; 20 when left out. */
  readonly steps?: number
  /** Tells the same stories again, as a broken law names it; others every time when left out. */
  readonly seed?: number
}
