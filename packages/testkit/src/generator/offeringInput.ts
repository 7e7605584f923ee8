import type { offeringsCreate, offeringsSetHours } from "@trailbook/core/offering"
import { kinds } from "@trailbook/core/offering/Offering"
import * as FastCheck from "effect/FastCheck"
import type * as Schema from "effect/Schema"
import { hoursInput } from "./hours.ts"
import { text } from "./text.ts"

/** Input for `offerings.create`, with the hours of `offerings.set_hours`. */
type OfferingInput = Schema.Schema.Encoded<typeof offeringsCreate.input> & {
  readonly hours?: Schema.Schema.Encoded<typeof offeringsSetHours.input>["hours"]
}

const maybe = <A>(arbitrary: FastCheck.Arbitrary<A>) => FastCheck.option(arbitrary, { nil: undefined })

/** The maximum number of entries per request. */
const mostHours = 50

const settings = {
  description: maybe(text(2000)),
  duration_minutes: maybe(FastCheck.constantFrom(5, 45, 60, 240, 1440, 1500, 2880)),
  capacity: maybe(FastCheck.constantFrom(1, 2, 5)),
  max_per_booking: maybe(FastCheck.constantFrom(1, 2, 4)),
  price_cents: maybe(FastCheck.constantFrom(0, 999, 10_000)),
  slot_interval_minutes: maybe(FastCheck.constantFrom(null, 15, 30, 45, 120, 1440)),
  buffer_minutes: maybe(FastCheck.constantFrom(0, 15, 60, 1440)),
  min_notice_minutes: maybe(FastCheck.constantFrom(0, 60, 1440, 20_000)),
  max_advance_days: maybe(FastCheck.constantFrom(1, 14, 365, 730)),
  max_periods: maybe(FastCheck.constantFrom(1, 3, 60))
}

/**
 * Input for `offerings.create` and `offerings.set_hours`. Capacities are small, so that bookings compete, and some
 * settings do not divide each other evenly. All fields except name and kind are optional, and a class has no hours.
 */
export const offeringInput: FastCheck.Arbitrary<OfferingInput> = FastCheck.record({
  name: text(120).filter((name) => name.trim() !== ""),
  kind: FastCheck.constantFrom(...kinds),
  bare: FastCheck.oneof(
    { arbitrary: FastCheck.constant(false), weight: 9 },
    { arbitrary: FastCheck.constant(true), weight: 1 }
  ),
  hours: maybe(hoursInput.map((entries) => entries.slice(0, mostHours))),
  ...settings
}).map(({ bare, hours, kind, name, ...settings }) => ({
  name,
  kind,
  ...Object.fromEntries(Object.entries(settings).filter(([, value]) => !bare && value !== undefined)),
  ...(bare || hours === undefined || kind === "class" ? {} : { hours })
}))
