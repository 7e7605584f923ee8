import { availabilityGet } from "@trailbook/core/availability"
import { bookingsCreate } from "@trailbook/core/booking"
import { offeringsList } from "@trailbook/core/offering"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { call, catchRefusalCode } from "trailbook/effect"

export class SoldOut extends Data.TaggedError("SoldOut")<{ readonly message: string }> {}

export const trips = Effect.map(
  call(offeringsList, {}),
  ({ data }) => data.filter(({ active }) => active).map(({ id, name, price_cents }) => ({ id, name, price_cents }))
)

export const times = (id: string) =>
  Effect.map(call(availabilityGet, { id }), ({ data }) => data.filter(({ remaining }) => remaining > 0))

export interface Order {
  readonly trip: string
  readonly startsAt: string
  readonly people: number
  readonly email: string
  /** The order's UUID. Repeated requests with the same UUID create only one booking. */
  readonly key: string
}

export const book = ({ email, key, people, startsAt, trip }: Order) =>
  call(bookingsCreate, {
    offering_id: trip,
    starts_at: startsAt,
    quantity: people,
    customer: { email },
    idempotency_key: key
  }).pipe(
    Effect.retry({ while: ({ code }) => code === "unavailable", schedule: patient }),
    catchRefusalCode("slot_full", ({ message }) => new SoldOut({ message }))
  )

const patient = Schedule.jittered(Schedule.exponential("100 millis")).pipe(Schedule.intersect(Schedule.recurs(5)))
