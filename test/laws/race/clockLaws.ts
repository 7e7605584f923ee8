/**
 * Tests processes with different clocks, and a clock that is set back. A hold that has expired on one clock can still
 * be live on another. A process must not sell a place that another process, going by a different clock, has already
 * sold.
 */
import type { Refusal } from "@trailbook/core"
import { offeringKinds } from "@trailbook/core/offering/Offering"
import { type Law, type LawSteps, toEffect } from "@trailbook/testkit/law/Law"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { assert } from "vitest"
import { minuteMs, race, sessionStarts, type TwoServerFixture } from "./TwoServerFixture.ts"

/** The initial state: an offering with one place, occupied by a 5-minute hold. */
interface HeldSlot {
  readonly offering_id: string
  readonly slots: ReadonlyArray<object>
  readonly hold: string
}

const holdSlot = (fixture: TwoServerFixture, kind: string): Effect.Effect<HeldSlot, Refusal> =>
  Effect.gen(function*() {
    const offering_id = yield* fixture.offer({ kind, capacity: 1 })
    if (kind === "class") {
      yield* Effect.forEach(sessionStarts, (starts_at) => fixture.call("sessions.create", { offering_id, starts_at }))
    }
    // Use late slots, which can be booked according to every clock.
    const slots = (yield* fixture.slots(offering_id)).slice(-2)
    const { id } = yield* fixture.book({ offering_id, ...slots[0], hold_minutes: 5 })
    return { offering_id, slots, hold: id }
  })

/**
 * Moves the fast clock past the end of the hold by an amount that depends on the round. On the slow clock, the hold is
 * still live.
 */
const skewClocksForRound = ({ clock, skew }: TwoServerFixture, round: number) =>
  Effect.zipRight(skew([20, 2000, 10_000, 9 * minuteMs][round % 4] ?? 20), clock.advance(5 * minuteMs - 10))

const expectOneBooking = (fixture: TwoServerFixture) =>
  Effect.map(
    fixture.stored,
    (bookings) =>
      assert.strictEqual(bookings.filter(({ status }) => status === "confirmed").length, 1, "one has the place")
  )

const expectRefused = <A>(code: string, answer: Effect.Effect<A, Refusal>) =>
  Effect.map(
    Effect.either(answer),
    (answer) => assert.strictEqual(Either.isLeft(answer) ? answer.left.code : "the call succeeded", code)
  )

const raceEachKind = (
  key: Law["key"],
  title: string,
  run: (fixture: TwoServerFixture, held: HeldSlot, round: number) => LawSteps<Refusal>
) =>
  race(key, title, function*(fixture, round) {
    const kind = offeringKinds[round % offeringKinds.length] ?? "class"
    const heldSlot = yield* holdSlot(fixture, kind)
    yield* toEffect(run(fixture, heldSlot, round))
    yield* expectOneBooking(fixture)
  })

export const clockLaws = [
  raceEachKind(
    "clocks/confirm",
    "rejects the confirmation of a hold if a server with a faster clock has sold its place",
    function*(fixture, { hold: id, offering_id, slots }, round) {
      yield* skewClocksForRound(fixture, round)
      yield* fixture.ahead.book({ offering_id, ...slots[0] })
      yield* expectRefused("hold_expired", fixture.behind.call("bookings.confirm", { id }))
    }
  ),

  raceEachKind(
    "clocks/pay",
    "refunds a payment that a server with a slow clock receives after a server with a fast clock sold the seat",
    function*(fixture, { hold: id, offering_id, slots }, round) {
      yield* skewClocksForRound(fixture, round)
      yield* fixture.ahead.book({ offering_id, ...slots[0] })
      const { booking } = yield* fixture.behind.bookings.pay({ orgId: fixture.orgId, id }, "pi_1")
      assert.strictEqual(booking.status, "cancelled")
    }
  ),

  raceEachKind(
    "clocks/move",
    "does not return a place to an expired hold on a server with a slow clock after another booking moved there",
    function*(fixture, { hold: id, offering_id, slots }, round) {
      const other = yield* fixture.book({ offering_id, ...slots[1] })
      yield* skewClocksForRound(fixture, round)
      yield* fixture.ahead.call("bookings.move", { id: other.id, ...slots[0] })
      yield* expectRefused("hold_expired", fixture.behind.call("bookings.confirm", { id }))
      yield* expectRefused("hold_expired", fixture.behind.call("bookings.move", { id, ...slots[1] }))
    }
  ),

  raceEachKind(
    "clocks/late-confirm",
    "does not sell a place on a server with a slow clock after an earlier expired hold was confirmed there",
    function*(fixture, { hold: first, offering_id, slots }, round) {
      yield* fixture.clock.advance(5 * minuteMs)
      const { id: second } = yield* fixture.book({ offering_id, ...slots[0], hold_minutes: 5 })
      yield* skewClocksForRound(fixture, round)
      yield* fixture.ahead.call("bookings.confirm", { id: first })
      yield* expectRefused("hold_expired", fixture.behind.call("bookings.confirm", { id: second }))
    }
  ),

  raceEachKind(
    "clocks/back",
    "rejects the confirmation of a hold whose place was sold, even if the clock is then set back",
    function*({ ahead: process, clock, ...rest }, { hold: id, offering_id, slots }) {
      yield* clock.advance(5 * minuteMs)
      yield* process.book({ offering_id, ...slots[0] })
      yield* clock.advance(-2000)
      yield* expectRefused("hold_expired", process.call("bookings.confirm", { id }))
      yield* expectRefused("slot_full", rest.book({ offering_id, ...slots[0] }))
    }
  ),

  raceEachKind(
    "clocks/sweep",
    "does not let a server with a slow clock confirm a hold that was already swept, and sells its place once",
    function*(fixture, { hold: id, offering_id, slots }) {
      yield* fixture.skew(25 * 60 * minuteMs)
      yield* fixture.ahead.bookings.sweep(10)
      yield* fixture.behind.book({ offering_id, ...slots[0] })
      yield* expectRefused("booking_cancelled", fixture.behind.call("bookings.confirm", { id }))
    }
  ),

  raceEachKind(
    "clocks/elsewhere",
    "expires holds only at the place where the server with the fast clock makes a sale",
    function*(fixture, { hold: id, slots: here }, round) {
      const { hold: there, offering_id, slots } = yield* holdSlot(
        fixture,
        offeringKinds[(round + 1) % offeringKinds.length] ?? "class"
      )
      yield* skewClocksForRound(fixture, round)
      const { id: saleId } = yield* fixture.ahead.book({ offering_id, ...slots[0] })
      // An expired hold can still be confirmed while there is capacity, but cannot be moved.
      yield* fixture.behind.call("bookings.move", { id, ...here[1] })
      yield* fixture.behind.call("bookings.confirm", { id })
      yield* expectRefused("hold_expired", fixture.behind.call("bookings.confirm", { id: there }))
      yield* fixture.call("bookings.cancel", { id: saleId })
    }
  )
]
