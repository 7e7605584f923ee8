/** Tests occupancy queries, which return the live bookings that overlap an interval. */
import { type Booking, isLive, type OverlapQuery, type Overlaps } from "@trailbook/core/booking"
import type { BookedSpan } from "@trailbook/core/capacity"
import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Struct from "effect/Struct"
import { booking, type StatusFields, withStatus } from "../../generator/booking.ts"
import { moment, origin } from "../../generator/moment.ts"
import { type OrgData, orgData } from "../../generator/orgData.ts"
import { forAll } from "../forAll.ts"
import { type Law, law, lawForAll } from "../Law.ts"
import { assertSameRows } from "../rowAssertions.ts"
import { newId, seedOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { sumBy } from "./reportLaws.ts"

/** Counts overlaps by the port's definition, one booking at a time. */
const countOverlaps = (
  { bookings, offerings }: Pick<OrgData, "bookings" | "offerings">,
  query: OverlapQuery
): Overlaps => {
  const judgedAt = offerings.find(({ id }) => id === query.offeringId)?.judgedAt ?? query.now
  const now = judgedAt > query.now ? judgedAt : query.now
  const candidates = bookings.filter((booking) =>
    booking.offeringId === query.offeringId && booking.id !== query.except &&
    query.startsAfter <= booking.startsAt && booking.startsAt < query.startsBefore && booking.endsAt > query.endsAfter
  )
  const overlaps = candidates.filter((booking) => isLive(booking, now))
  const ends = candidates.flatMap((booking) =>
    booking.status === "held" && !overlaps.includes(booking) ? [booking.expiresAt] : []
  )
  const spans = Object.values(Arr.groupBy(overlaps, ({ endsAt, startsAt }) => `${startsAt} ${endsAt}`))
  const bookedSpans = spans.map((bookings): BookedSpan => ({
    ...Struct.pick(bookings[0], "startsAt", "endsAt"),
    bookings: bookings.length,
    quantity: sumBy(bookings, ({ quantity }) => quantity)
  }))
  return { bookedSpans, lapsedAt: ends.toSorted((a, b) => b - a)[0] ?? null }
}

const bounds = FastCheck.record({
  startsAfter: FastCheck.oneof(moment, FastCheck.constantFrom(Instant.make(-86_400_000), Instant.min)),
  startsBefore: FastCheck.oneof(moment, FastCheck.constant(Instant.max)),
  endsAfter: FastCheck.oneof(moment, FastCheck.constant(Instant.min)),
  now: moment,
  offering: FastCheck.nat({ max: 2 }),
  except: FastCheck.option(FastCheck.nat({ max: 20 }))
})

const atMinute = (minutes: number) => Instant.addMinutes(origin, minutes)

interface Lookup {
  /** The status of a booking that lasts from 0 to 60 minutes after `origin`. */
  readonly state: StatusFields
  /** The time window. Defaults to all time. */
  readonly window?: Partial<Pick<OverlapQuery, "startsAfter" | "startsBefore" | "endsAfter">>
  readonly except?: boolean
  readonly now?: Instant.Instant
  readonly judgedAt?: number
  readonly isCounted: boolean
}

const confirmedState: StatusFields = { status: "confirmed" }
const holdUntil = (expiresAt: Instant.Instant): StatusFields => ({
  status: "held",
  expiresAt,
  paymentDue: false,
  checkoutUrl: null
})

/** Returns the booking for the org's first offering and customer, from `origin` until the given minute. */
const placeBooking = ({ customers, offerings }: OrgData, booking: Booking, minutes: number): Booking => ({
  ...booking,
  offeringId: offerings[0]?.id ?? "",
  customerId: customers[0]?.id ?? "",
  startsAt: atMinute(0),
  endsAt: atMinute(minutes)
})

/** Runs each of these lookups for one booking and checks the results. */
const checkLookups = (...lookups: ReadonlyArray<Lookup>): Law["check"] => (conditions) =>
  forAll(
    { ...conditions, runs: 2 },
    FastCheck.tuple(orgData(0), booking),
    ([org, booking]) =>
      Effect.forEach(lookups, ({ except = false, isCounted, judgedAt = 0, now = atMinute(0), state, window }) =>
        Effect.gen(function*() {
          const placedBooking = placeBooking(org, withStatus(booking, state), 60)
          const offerings = org.offerings.map((offering) => ({ ...offering, judgedAt: Instant.make(judgedAt) }))
          const { orgId } = yield* seedOrg({ ...org, offerings, bookings: [placedBooking] })
          const query = {
            orgId,
            offeringId: placedBooking.offeringId,
            startsAfter: Instant.min,
            startsBefore: Instant.max,
            endsAfter: Instant.min,
            now,
            ...window,
            ...(except ? { except: booking.id } : {})
          }
          const takenSpan = { startsAt: atMinute(0), endsAt: atMinute(60), bookings: 1, quantity: booking.quantity }
          // The other holds were ignored because they had expired.
          const lapsedAt = state.status === "held" && !isCounted ? state.expiresAt : null
          assert.deepStrictEqual(yield* Store.bookings.overlapping([query]), [{
            bookedSpans: isCounted ? [takenSpan] : [],
            lapsedAt
          }])
        }), { discard: true })
  )

const justAfter = (moment: Instant.Instant) => Instant.make(moment + 1)

export const overlapLaws = [
  lawForAll(
    "overlapping/counted",
    "returns the same counts for a batch of queries as for the individual queries",
    FastCheck.tuple(orgData(20), FastCheck.array(bounds, { maxLength: 8 })),
    function*([org, inputs]) {
      const seededOrg = yield* seedOrg(org)
      const { bookings, offerings, orgId } = seededOrg
      const queries = inputs.map(({ except, offering, ...bounds }): OverlapQuery => ({
        ...bounds,
        orgId,
        offeringId: offerings[offering]?.id ?? newId(),
        ...(except === null ? {} : { except: bookings[except]?.id ?? newId() })
      }))
      const results = yield* Store.bookings.overlapping(queries)
      assert.strictEqual(results.length, queries.length)
      queries.forEach((query, at) => {
        const { lapsedAt, bookedSpans } = countOverlaps(seededOrg, query)
        assertSameRows(results[at]?.bookedSpans ?? [], bookedSpans)
        assert.strictEqual(results[at]?.lapsedAt, lapsedAt)
      })
    }
  ),

  law(
    "overlapping/live",
    "counts confirmed bookings and unexpired holds, but not canceled bookings",
    checkLookups(
      { state: confirmedState, isCounted: true },
      { state: holdUntil(justAfter(atMinute(30))), now: atMinute(30), isCounted: true },
      { state: holdUntil(atMinute(30)), now: atMinute(30), isCounted: false },
      { state: holdUntil(atMinute(30)), now: justAfter(atMinute(30)), isCounted: false },
      { state: holdUntil(atMinute(30)), now: atMinute(0), judgedAt: atMinute(30), isCounted: false },
      { state: holdUntil(justAfter(atMinute(30))), now: atMinute(0), judgedAt: atMinute(30), isCounted: true },
      { state: { status: "cancelled", cancelledAt: atMinute(0), keepCents: 0 }, isCounted: false }
    )
  ),

  law(
    "overlapping/bounds",
    "counts bookings with startsAfter <= start < startsBefore and end > endsAfter",
    checkLookups(
      { state: confirmedState, window: { startsAfter: atMinute(0) }, isCounted: true },
      { state: confirmedState, window: { startsAfter: justAfter(atMinute(0)) }, isCounted: false },
      { state: confirmedState, window: { startsBefore: atMinute(0) }, isCounted: false },
      { state: confirmedState, window: { startsBefore: justAfter(atMinute(0)) }, isCounted: true },
      { state: confirmedState, window: { endsAfter: atMinute(60) }, isCounted: false },
      { state: confirmedState, window: { endsAfter: atMinute(59) }, isCounted: true }
    )
  ),

  law(
    "overlapping/except",
    "does not count the excluded booking",
    checkLookups({ state: confirmedState, except: true, isCounted: false })
  ),

  lawForAll(
    "overlapping/equal-spans",
    "returns one sum for each span by adding up the bookings that share it",
    FastCheck.tuple(
      orgData(0),
      FastCheck.uniqueArray(booking, { minLength: 3, maxLength: 9, selector: ({ reference }) => reference })
    ),
    function*([org, rows]) {
      const placedBookings = rows.map((booking, index) =>
        placeBooking(org, withStatus(booking, confirmedState), index % 3 === 0 ? 120 : 60)
      )
      const seededOrg = yield* seedOrg({ ...org, bookings: placedBookings })
      const { orgId } = seededOrg
      const query = {
        orgId,
        offeringId: org.offerings[0]?.id ?? "",
        startsAfter: atMinute(0),
        startsBefore: atMinute(1),
        endsAfter: atMinute(0),
        now: atMinute(0)
      }
      const [overlaps] = yield* Store.bookings.overlapping([query])
      assert.strictEqual(overlaps?.bookedSpans.length, 2)
      assertSameRows(overlaps?.bookedSpans ?? [], countOverlaps(seededOrg, query).bookedSpans)
    }
  )
]
