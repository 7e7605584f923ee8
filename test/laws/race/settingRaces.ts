/** Tests bookings that race with a cancellation, a pause, or a capacity reduction. The feed shows which came first. */
import type { Refusal } from "@trailbook/core"
import * as Instant from "@trailbook/core/time/Instant"
import { origin } from "@trailbook/testkit/generator/moment"
import { newId } from "@trailbook/testkit/law/seedOrg"
import * as Store from "@trailbook/testkit/law/Store"
import { listUnclaimedTasks } from "@trailbook/testkit/law/task/tasks"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { minuteMs, race, runConcurrently, sessionStarts, type TwoServerFixture } from "./TwoServerFixture.ts"

/** Pauses an offering while guests book. The feed shows which came first. */
const racePause = (
  { book, call, orgId }: TwoServerFixture,
  order: { readonly offering_id: string },
  round: number
) =>
  Effect.gen(function*() {
    const sell = book(order)
    yield* runConcurrently<unknown, never>(round, [
      sell,
      call("offerings.update", { id: order.offering_id, active: false }),
      sell,
      sell
    ])
    const events = yield* Store.eventLog.latest(orgId, 1000)
    const paused = events.findIndex(({ type }) => type === "offering.updated")
    assert.isFalse(
      events.slice(paused).some(({ type }) => type === "booking.confirmed"),
      "a booking was sold after the pause"
    )
  })

export const settingRaces = [
  race(
    "races/session-cancel",
    "leaves no booking in a session that is canceled while guests book it",
    function*({ book, call, offered, stored }, round) {
      const { offering_id, slots: [slot, other] } = yield* offered({ kind: "class" }, sessionStarts)
      const { id } = yield* book({ offering_id, ...other })
      yield* runConcurrently<unknown, never>(round, [
        book({ offering_id, ...slot }),
        call("sessions.cancel", { id: slot !== undefined && "session_id" in slot ? slot.session_id : "" }),
        call("bookings.move", { id, ...slot }),
        book({ offering_id, ...slot })
      ])
      const inside = (yield* stored).filter(({ sessionId }) =>
        slot !== undefined && "session_id" in slot && sessionId === slot.session_id
      )
      assert.deepStrictEqual(inside.filter(({ status }) => status !== "cancelled"), [])
    }
  ),

  race(
    "races/offering-delete",
    "leaves no booking for an offering that is deleted while guests book it",
    function*({ book, call, offer, slots, stored }, round) {
      const id = yield* offer({ kind: round % 2 === 0 ? "appointment" : "class", capacity: 5 })
      if (round % 2 !== 0) yield* call("sessions.create", { offering_id: id, starts_at: sessionStarts[0] })
      const [slot] = yield* slots(id)
      const sell = book({ offering_id: id, ...slot })
      yield* runConcurrently<unknown, never>(round, [
        sell,
        call("offerings.delete", { id, cancel_bookings: true }),
        sell,
        sell
      ])
      assert.deepStrictEqual((yield* stored).filter(({ status }) => status !== "cancelled"), [])
    }
  ),

  race(
    "races/photos",
    "keeps every change to an offering whose photos are sorted and removed concurrently",
    function*({ call, offer, orgId }, round) {
      const id = yield* offer({ kind: "class" })
      const [before] = yield* Store.offerings.find([{ orgId, id }])
      assert.isDefined(before)
      const photos = [newId(), newId(), newId()].map((id) => ({ id, alt: "A raft", width: 1600, height: 900 }))
      yield* Store.offerings.put(before === undefined ? [] : [{ ...before, photos }])
      const [first, second, third] = photos.map(({ id }) => ({ id, alt: "Two rafts" }))
      const orders = [[third, first], [second, third, first]]
      const { codes } = yield* runConcurrently<unknown, never>(round, [
        ...orders.map((order) => call("offerings.set_photos", { id, photos: order })),
        call("offerings.update", { id, name: "Floating" }),
        call("offerings.update", { id, capacity: 7 })
      ])
      // A photo that was removed cannot be listed again.
      assert.isTrue(codes.every((code) => code === "invalid_request"))
      const [after] = yield* Store.offerings.find([{ orgId, id }])
      assert.deepStrictEqual([after?.name, after?.capacity], ["Floating", 7])
      const photoIds = after?.photos.map(({ id }) => id)
      assert.deepInclude(orders.map((order) => order.map((photo) => photo?.id)), photoIds)
      const removedPhotos = photos.filter(({ id }) => photoIds?.includes(id) === false)
      const removals = yield* listUnclaimedTasks
      assert.deepStrictEqual(
        removals.filter((task) => task.orgId === orgId).map(({ kind, subjectId }) => [kind, subjectId]),
        removedPhotos.map((photo) => ["photo.remove", `${id} ${photo.id}`])
      )
    }
  ),

  race(
    "races/capacity",
    "sells only the remaining seats after the capacity is lowered",
    function*({ book, call, offered }, round) {
      const { offering_id: id, slots: [slot] } = yield* offered({ kind: "appointment", capacity: 4 })
      const sell = book({ offering_id: id, ...slot })
      // The invariants derive the order from the feed.
      yield* runConcurrently<unknown, never>(round, [
        sell,
        sell,
        call("offerings.update", { id, capacity: 1 }),
        sell,
        sell
      ])
    }
  ),

  race(
    "races/class-capacity",
    "sells only the remaining seats after the capacity of a class is lowered",
    function*({ book, call, offered }, round) {
      const { offering_id: id, slots: [slot] } = yield* offered(
        { kind: "class", capacity: 12 },
        sessionStarts.slice(0, 1)
      )
      // An update is short, so use many bookings to make it likely that one overlaps it.
      const sales = Array.from({ length: 6 }, () => book({ offering_id: id, ...slot }))
      yield* runConcurrently<unknown, never>(round, [...sales, call("offerings.update", { id, capacity: 1 }), ...sales])
    }
  ),

  race(
    "races/class-capacity-move",
    "moves bookings only into the remaining seats after the capacity of a class is lowered",
    function*({ book, call, offered }, round) {
      const { offering_id: id, slots: [to, from] } = yield* offered({ kind: "class", capacity: 4 }, sessionStarts)
      const bookings = yield* Effect.forEach([1, 2, 3], () => book({ offering_id: id, ...from }))
      const moves = bookings.map((booking) => call("bookings.move", { id: booking.id, ...to }))
      yield* runConcurrently(round, [
        ...moves.slice(1),
        call("offerings.update", { id, capacity: 1 }),
        ...moves.slice(0, 1)
      ])
    }
  ),

  race(
    "races/class-capacity-confirm",
    "confirms an expired hold only if the class has seats left, even after the session started",
    function*({ book, call, clock, offered }, round) {
      const { offering_id: id, slots: [slot] } = yield* offered(
        { kind: "class", capacity: 4 },
        sessionStarts.slice(0, 1)
      )
      const holds = yield* Effect.forEach([1, 2, 3], () => book({ offering_id: id, ...slot, hold_minutes: 24 * 60 }))
      yield* clock.advance((24 * 60 + 1) * minuteMs)
      const confirms = holds.map((hold) => call("bookings.confirm", { id: hold.id }))
      yield* runConcurrently(round, [
        ...confirms.slice(1),
        call("offerings.update", { id, capacity: 1 }),
        ...confirms.slice(0, 1)
      ])
    }
  ),

  race(
    "races/pause",
    "sells no appointments of an offering after it is paused",
    function*(fixture, round) {
      const { offering_id, slots: [slot] } = yield* fixture.offered({ kind: "appointment", capacity: 4 })
      yield* racePause(fixture, { offering_id, ...slot }, round)
    }
  ),

  race(
    "races/class-pause",
    "sells no seats in a class after it is paused",
    function*(fixture, round) {
      const { offering_id, slots: [slot] } = yield* fixture.offered(
        { kind: "class", capacity: 4 },
        sessionStarts.slice(0, 1)
      )
      yield* racePause(fixture, { offering_id, ...slot }, round)
    }
  ),

  race(
    "races/walk-in-pause",
    "sells no seats in a started session to walk-ins after its class is paused",
    function*(fixture, round) {
      const { offering_id, slots: [slot] } = yield* fixture.offered(
        { kind: "class", capacity: 4 },
        sessionStarts.slice(0, 1)
      )
      yield* fixture.clock.set(Instant.addMinutes(origin, 24 * 60 + 30))
      const walkIn = { offering_id, ...slot, walk_in: true, customer: { phone: "719 555 0142" } }
      yield* racePause(fixture, walkIn, round)
    }
  ),

  race(
    "races/all",
    "completes all concurrent operations of an outfitter and its guests",
    function*({ book, bookings, call, clock, offer, slots }, round) {
      const [course, lesson] = yield* Effect.all([
        offer({ kind: "class", capacity: 6 }),
        offer({ kind: "appointment", capacity: 3 })
      ])
      yield* Effect.forEach(
        sessionStarts,
        (starts_at) => call("sessions.create", { offering_id: course, starts_at })
      )
      const [here, there] = yield* slots(course)
      const [early, late] = yield* slots(lesson)
      const bookCourse = (slot = here) => book({ offering_id: course, ...slot })
      const bookLesson = (slot = early) => book({ offering_id: lesson, ...slot })
      const [a, b, c, d] = yield* Effect.all([bookCourse(), bookCourse(there), bookLesson(), bookLesson(late)])
      const hold = yield* book({ offering_id: course, ...there, hold_minutes: 5 })
      yield* clock.advance(6 * minuteMs)

      const move = ({ id }: { readonly id: string }, slot: object = {}) => call("bookings.move", { id, ...slot })
      const calls: ReadonlyArray<Effect.Effect<unknown, Refusal>> = [
        move(a, there),
        move(b, here),
        move(c, late),
        move(d, early),
        bookCourse(),
        bookCourse(there),
        bookLesson(),
        call("bookings.create", { offering_id: course, ...there, customer_id: c.customer_id }),
        call("bookings.create", { offering_id: lesson, ...late, customer_id: a.customer_id }),
        call("bookings.confirm", { id: hold.id }),
        call("bookings.cancel", { id: b.id }),
        call("offerings.update", { id: course, capacity: 3 }),
        call("customers.delete", { id: a.customer_id }),
        call("customers.update", { id: c.customer_id, name: "Ann" }),
        bookings.sweep(10),
        call("offerings.set_hours", { id: lesson, hours: [] }),
        call("sessions.create", { offering_id: course, starts_at: sessionStarts[0] }),
        call("sessions.cancel", { id: a.session_id }),
        call("offerings.delete", { id: round % 2 === 0 ? course : lesson, cancel_bookings: true })
      ]
      const nextCall = round % calls.length
      yield* runConcurrently(round, [...calls.slice(nextCall), ...calls.slice(0, nextCall)])
    }
  )
]
