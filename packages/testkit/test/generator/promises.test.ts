/** Tests that the API's schemas accept generated values in every state. */
import { type Booking, BookingView, bookingView, isLive } from "@trailbook/core/booking"
import { CustomerView, customerView } from "@trailbook/core/customer"
import { offeringsCreate, offeringsSetHours } from "@trailbook/core/offering"
import { OrgView, orgView } from "@trailbook/core/org"
import { SessionView, sessionView } from "@trailbook/core/session"
import * as Field from "@trailbook/core/wire/Field"
import * as Arbitraries from "@trailbook/testkit/arbitraries"
import { withStatus } from "@trailbook/testkit/generator/booking"
import { edgeMoment, origin, resolveEdgeMoment } from "@trailbook/testkit/generator/moment"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"

const samples = <A>(arbitrary: FastCheck.Arbitrary<A>, numRuns = 1000): ReadonlyArray<A> =>
  FastCheck.sample(arbitrary, { numRuns, seed: 42 })

/** Asserts that at least one sample meets each condition. */
const reach = <A>(all: ReadonlyArray<A>, conditions: { readonly [what: string]: (sample: A) => boolean }): void => {
  assert.deepStrictEqual(Object.keys(conditions).filter((what) => !all.some(conditions[what] ?? (() => true))), [])
}

const accepts = <A, I>(schema: Schema.Schema<A, I>, all: ReadonlyArray<unknown>): void => {
  const decode = Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })
  for (const one of all) decode(one)
}

const parties = {
  offering: { id: "o", name: "Raft", kind: "rental" },
  customer: { id: "c", name: "", email: "", phone: "" }
} as const
const viewOf = (booking: Booking) => bookingView({ booking, ...parties })

describe("arbitraries", () => {
  it("create bookings in every status, each with exactly that status's fields", () => {
    const all = samples(Arbitraries.booking)
    accepts(BookingView, all.map(viewOf))
    for (const one of all) {
      assert.isTrue(one.startsAt < one.endsAt)
      assert.strictEqual("expiresAt" in one, one.status === "held")
      assert.strictEqual("cancelledAt" in one, one.status === "cancelled")
    }
    for (const name of ["id", "handle"] as const) {
      assert.strictEqual(new Set(all.map((one) => one[name])).size, all.length, name)
    }
    assert.strictEqual(new Set(all.map(({ idempotency }) => idempotency.key)).size, all.length)
    reach(all, {
      "a live hold": (one) => one.status === "held" && isLive(one, origin),
      "a hold that is over": (one) => one.status === "held" && !isLive(one, origin),
      "a hold to be paid": (one) => one.status === "held" && one.paymentDue,
      confirmed: ({ status }) => status === "confirmed",
      cancelled: ({ status }) => status === "cancelled",
      paid: ({ paidAt }) => paidAt !== null,
      moved: ({ previous }) => previous !== null,
      "of many periods": ({ periods }) => periods > 1,
      "the dearest": ({ totalCents }) => totalCents === Number.MAX_SAFE_INTEGER
    })
  })

  it("retain a booking's common fields when its status changes", () => {
    for (const booking of samples(Arbitraries.booking)) {
      const confirmedBooking = withStatus(booking, { status: "confirmed" })
      assert.notProperty(confirmedBooking, "expiresAt")
      assert.notProperty(confirmedBooking, "cancelledAt")
      assert.deepStrictEqual(
        withStatus(withStatus(booking, { status: "cancelled", cancelledAt: origin, keepCents: 0 }), confirmedBooking),
        confirmedBooking
      )
      assert.strictEqual(viewOf(confirmedBooking).reference, viewOf(booking).reference)
    }
  })

  it("create scheduled and canceled sessions, with and without their own capacity", () => {
    const all = samples(Arbitraries.session)
    accepts(SessionView, all.map(sessionView))
    assert.isTrue(all.every(({ endsAt, startsAt }) => startsAt < endsAt))
    reach(all, {
      scheduled: ({ status }) => status === "scheduled",
      cancelled: ({ status }) => status === "cancelled",
      "seats of its own": ({ capacity }) => capacity !== null,
      "the class's seats": ({ capacity }) => capacity === null
    })
  })

  it("create customers and orgs that round-trip unchanged", () => {
    accepts(CustomerView, samples(Arbitraries.customer).map(customerView))
    accepts(OrgView, samples(Arbitraries.org).map(orgView))
  })

  it("create addresses that are stored unchanged", () => {
    const decode = Schema.decodeUnknownSync(Field.email)
    const all = samples(Arbitraries.email)
    for (const address of all) assert.strictEqual(decode(address), address)
    reach(all, { "part of another": (one) => all.some((other) => other !== one && other.includes(one)) })
  })

  it("create instants from a small set, including adjacent milliseconds", () => {
    const all = samples(Arbitraries.moment)
    reach(all, {
      origin: (at) => at === origin,
      "just before": (at) => at === origin - 1,
      "just after": (at) => at === origin + 1
    })
    assert.isBelow(new Set(all).size, 50)
    assert.isTrue(samples(Arbitraries.span).every(({ endsAt, startsAt }) => startsAt < endsAt))
  })

  it("create orders for existing and nonexistent offerings", () => {
    const orders = samples(
      Arbitraries.orgData(5).chain((org) =>
        Arbitraries.createBookingInput("org", org).map((order) => ({ order, org }))
      ),
      200
    )
    const has = (rows: ReadonlyArray<{ readonly id: string }>, id: string | undefined) =>
      rows.some((row) => row.id === id)
    reach(orders, {
      "a known offering": ({ order, org }) => has(org.offerings, order.offeringId),
      "an unknown offering": ({ order, org }) => !has(org.offerings, order.offeringId),
      "a known session": ({ order, org }) => has(org.sessions, order.sessionId),
      "no session": ({ order }) => order.sessionId === undefined,
      "a known guest": ({ order, org }) => has(org.customers, order.customerId),
      "a guest by address": ({ order }) => order.contact !== undefined,
      "a hold": ({ order }) => order.holdMinutes !== undefined,
      "more than anybody sells": ({ order, org }) =>
        org.offerings.some(({ maxPerBooking }) => (order.quantity ?? 1) > maxPerBooking)
    })
    for (const { order } of orders) assert.strictEqual(order.customerId === undefined, order.contact !== undefined)
  })

  it("create valid offering requests, with and without hours", () => {
    const all = samples(Arbitraries.offeringInput)
    accepts(offeringsCreate.input, all.map(({ hours: _hours, ...input }) => input))
    accepts(offeringsSetHours.input.pick("hours"), all.flatMap(({ hours }) => hours === undefined ? [] : [{ hours }]))
    assert.isTrue(all.every(({ hours, kind }) => kind !== "class" || hours === undefined))
    reach(all, {
      "name and kind alone": (input) => Object.keys(input).length === 2,
      "back to back": ({ slot_interval_minutes }) => slot_interval_minutes === null,
      "never open": ({ hours }) => hours?.length === 0,
      "hours left out": ({ hours, kind }) => kind === "rental" && hours === undefined,
      "a buffer": ({ buffer_minutes = 0 }) => buffer_minutes > 0,
      "a notice": ({ min_notice_minutes = 0 }) => min_notice_minutes > 0
    })
  })

  it("create range bounds that match a row's time and some that do not", () => {
    const moments = samples(Arbitraries.moment).slice(0, 3)
    const ends = samples(edgeMoment).map((one) => resolveEdgeMoment(one, moments))
    reach(ends, {
      "a row's": (at) => at !== undefined && moments.includes(at),
      "no row's": (at) => at !== undefined && !moments.includes(at)
    })
    assert.isUndefined(resolveEdgeMoment({ nth: 4 }, []))
    assert.isUndefined(resolveEdgeMoment(undefined, moments))
  })
})
