/**
 * Complete scripts. A script is a sequence of actions by an outfitter, its guests, a payment provider, and the clock.
 * Steps are plain data and refer to rows by creation order, so a shortened script stays valid.
 */
import { type OfferingKind, offeringKinds } from "@trailbook/core/offering/Offering"
import { type Plan, plans } from "@trailbook/core/org/Org"
import * as FastCheck from "effect/FastCheck"
import { email } from "./customer.ts"
import { hoursInput } from "./offering.ts"
import { zone } from "./org.ts"
import { withoutUndefined } from "./pricing.ts"
import { text } from "./text.ts"

/** The kinds of resources that a script creates and refers to. */
export type ResourceKind = "offering" | "class" | "session" | "booking" | "customer"

export type OperationInput = { readonly [field: string]: unknown }

export type Step =
  /** Time passes, so holds expire and sessions start. */
  | { readonly _tag: "Pass"; readonly minutes: number }
  /** A call to an operation. Each field in `pick` is set to the ID of the n-th resource of its kind. */
  | {
    readonly _tag: "Call"
    readonly name: string
    readonly input: OperationInput
    readonly pick: { readonly [field: string]: readonly [ResourceKind, number] }
  }
  /** Books the n-th slot in an offering's availability, including full slots. */
  | { readonly _tag: "Book"; readonly offering: number; readonly slot: number; readonly input: OperationInput }
  /** Moves a booking to the n-th slot in its offering's availability. */
  | { readonly _tag: "Move"; readonly booking: number; readonly slot: number }
  /** Repeats the last booking request with the same key. */
  | { readonly _tag: "Repeat"; readonly changed: boolean }
  /** The payment provider reports a payment. */
  | { readonly _tag: "Pay"; readonly booking: number; readonly intent: string }
  /** Connects the org to online payments, or disconnects it. */
  | { readonly _tag: "Connect"; readonly connected: boolean }
  | { readonly _tag: "Sweep" }

const nth = FastCheck.nat({ max: 30 })
const makeOptional = (nilWeight: number) => <A>(arbitrary: FastCheck.Arbitrary<A>) =>
  FastCheck.oneof({ arbitrary: FastCheck.constant(undefined), weight: nilWeight }, { arbitrary, weight: 1 })
const maybe = makeOptional(1)
const rarely = makeOptional(5)

/** Builds an input in which every field is optional. */
const optionalFields = (
  arbitraries: { readonly [field: string]: FastCheck.Arbitrary<unknown> }
): FastCheck.Arbitrary<OperationInput> => FastCheck.record(arbitraries).map(withoutUndefined)

const call = (
  name: string,
  input: FastCheck.Arbitrary<OperationInput> = FastCheck.constant({}),
  pick: { readonly [field: string]: ResourceKind } = {}
): FastCheck.Arbitrary<Step> =>
  FastCheck.tuple(
    input,
    FastCheck.record(
      Object.fromEntries(
        Object.entries(pick).map(([field, thing]) => [field, FastCheck.tuple(FastCheck.constant(thing), nth)])
      )
    )
  ).map(
    ([input, pick]): Step => ({ _tag: "Call", name, input, pick })
  )

// The settings have small capacities, long buffers, and short notice, so that bookings compete.
const settings = {
  duration_minutes: maybe(FastCheck.constantFrom(30, 45, 60, 90, 1440, 2880)),
  capacity: maybe(FastCheck.constantFrom(1, 1, 2, 3)),
  max_per_booking: rarely(FastCheck.constantFrom(1, 2)),
  price_cents: maybe(FastCheck.constantFrom(0, 999, 10_000)),
  slot_interval_minutes: maybe(FastCheck.constantFrom(null, 30, 45, 120)),
  buffer_minutes: maybe(FastCheck.constantFrom(0, 15, 60, 1440)),
  min_notice_minutes: rarely(FastCheck.constantFrom(0, 60, 1440)),
  max_advance_days: rarely(FastCheck.constantFrom(1, 14, 365)),
  max_periods: rarely(FastCheck.constantFrom(1, 3, 60)),
  active: rarely(FastCheck.boolean())
}

const name = text(100).filter((text) => text.trim() !== "")

const createOffering = (...allowedKinds: ReadonlyArray<OfferingKind>) =>
  call("offerings.create", optionalFields({ name, kind: FastCheck.constantFrom(...allowedKinds), ...settings }))

const session = call(
  "sessions.create",
  optionalFields({
    starts_at: FastCheck.integer({ min: -4, max: 200 }).map((hours) => ({ hoursFromNow: hours })),
    repeat_weeks: maybe(FastCheck.integer({ min: 1, max: 3 })),
    capacity: maybe(FastCheck.constantFrom(null, 1, 3))
  }),
  { offering_id: "class" }
)

const guest = FastCheck.oneof(
  {
    arbitrary: optionalFields({ email, name: maybe(text(60)), phone: maybe(text(20)) }).map((customer) => ({
      customer
    })),
    weight: 4
  },
  { arbitrary: nth.map((customer) => ({ customer_id: { nth: customer } })), weight: 1 }
)

/** Usually picks one of the first offerings or slots, so that guests compete for them. */
const lowIndex = FastCheck.oneof({ arbitrary: FastCheck.nat({ max: 2 }), weight: 4 }, { arbitrary: nth, weight: 1 })

const bookStep = FastCheck.record({
  offering: lowIndex,
  slot: lowIndex,
  guest,
  rest: optionalFields({
    quantity: maybe(FastCheck.constantFrom(1, 1, 2, 3)),
    periods: rarely(FastCheck.constantFrom(1, 2, 4)),
    hold_minutes: maybe(FastCheck.constantFrom(5, 30, 1440)),
    notes: maybe(text(100))
  })
}).map(({ guest, offering, rest, slot }): Step => ({ _tag: "Book", offering, slot, input: { ...guest, ...rest } }))

const bookingCall = (name: string) => call(name, undefined, { id: "booking" })

const listCall = FastCheck.oneof(
  call(
    "bookings.list",
    optionalFields({
      status: maybe(FastCheck.constantFrom("held", "confirmed", "cancelled")),
      order: maybe(FastCheck.constantFrom("asc", "desc")),
      limit: maybe(FastCheck.constantFrom(1, 2, 500))
    })
  ),
  call("bookings.list", undefined, { customer_id: "customer" }),
  call("bookings.list", undefined, { offering_id: "offering" }),
  call(
    "sessions.list",
    optionalFields({
      status: maybe(FastCheck.constantFrom("scheduled", "cancelled")),
      limit: maybe(FastCheck.constantFrom(1, 500))
    })
  ),
  call(
    "customers.list",
    optionalFields({
      q: maybe(FastCheck.constantFrom("a", "%", "_", "B.CO")),
      limit: maybe(FastCheck.constantFrom(1, 500))
    })
  ),
  call("offerings.list", optionalFields({ kind: maybe(FastCheck.constantFrom(...offeringKinds)) })),
  call(
    "events.list",
    optionalFields({
      after: maybe(nth),
      limit: maybe(FastCheck.constantFrom(1, 7)),
      type: maybe(FastCheck.constantFrom("booking.confirmed", "booking.moved"))
    })
  ),
  call("customers.get", undefined, { id: "customer" }),
  call("availability.get", undefined, { id: "offering" }),
  call("org.get"),
  call("billing.get")
)

const weighted = <A>(weight: number, arbitrary: FastCheck.Arbitrary<A>) => ({ weight, arbitrary })

const moveStep = FastCheck.record({ booking: nth, slot: lowIndex }).map((move): Step => ({ _tag: "Move", ...move }))
const intent = FastCheck.constantFrom("pi_1", "pi_2")
const payStep = FastCheck.record({ booking: nth, intent }).map((pay): Step => ({ _tag: "Pay", ...pay }))
/** Generates a duration that can be long enough for a hold to expire, a session to start, or a full day to pass. */
const timeStep = FastCheck.constantFrom(1, 6, 31, 120, 1441, 4000).map((minutes): Step => ({ _tag: "Pass", minutes }))
const guestFields = { name: maybe(text(60)), phone: maybe(text(20)), notes: maybe(text(60)) }

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  weighted(16, bookStep),
  weighted(5, timeStep),
  weighted(4, bookingCall("bookings.confirm")),
  weighted(3, bookingCall("bookings.cancel")),
  weighted(2, bookingCall("bookings.restore")),
  weighted(5, moveStep),
  weighted(2, FastCheck.boolean().map((changed): Step => ({ _tag: "Repeat", changed }))),
  weighted(2, payStep),
  weighted(1, FastCheck.boolean().map((connected): Step => ({ _tag: "Connect", connected }))),
  weighted(1, FastCheck.constant<Step>({ _tag: "Sweep" })),
  weighted(
    2,
    call(
      "bookings.update",
      optionalFields({
        quantity: maybe(FastCheck.constantFrom(1, 2, 3)),
        adjustments: rarely(FastCheck.constant([{ name: "Late return", cents: 500 }])),
        notes: rarely(text(100)),
        staff_notes: rarely(text(100))
      }),
      { id: "booking" }
    )
  ),
  weighted(1, bookingCall("bookings.resend")),
  weighted(1, bookingCall("bookings.check_in")),
  weighted(1, bookingCall("bookings.mark_no_show")),
  weighted(1, bookingCall("bookings.clear_attendance")),
  weighted(1, createOffering(...offeringKinds)),
  weighted(3, session),
  weighted(
    1,
    call("sessions.create", FastCheck.constant({ starts_at: { hoursFromNow: 1 } }), { offering_id: "offering" })
  ),
  weighted(2, call("offerings.update", optionalFields(settings), { id: "offering" })),
  weighted(1, call("offerings.set_hours", hoursInput.map((hours) => ({ hours })), { id: "offering" })),
  weighted(
    1,
    call("offerings.delete", optionalFields({ cancel_bookings: rarely(FastCheck.constant(true)) }), { id: "offering" })
  ),
  weighted(1, call("sessions.cancel", undefined, { id: "session" })),
  weighted(1, call("customers.upsert", optionalFields({ email, ...guestFields }))),
  weighted(1, call("customers.update", optionalFields(guestFields), { id: "customer" })),
  weighted(1, call("customers.delete", undefined, { id: "customer" })),
  weighted(1, call("org.update", optionalFields({ timezone: maybe(zone), name: maybe(name) }))),
  weighted(5, listCall)
)

export interface Script {
  readonly timezone: string
  readonly plan: Plan
  readonly steps: ReadonlyArray<Step>
}

/** Generates scripts that first create something to book. */
export const script = (maxSteps: number): FastCheck.Arbitrary<Script> =>
  FastCheck.record({
    timezone: zone,
    plan: FastCheck.constantFrom(...plans),
    opening: FastCheck.tuple(
      createOffering("appointment", "rental"),
      createOffering("class"),
      createOffering(...offeringKinds),
      session,
      session
    ),
    steps: FastCheck.array(step, { minLength: 5, maxLength: maxSteps, size: "max" })
  }).map(({ opening, plan, steps, timezone }) => ({ timezone, plan, steps: [...opening, ...steps] }))
