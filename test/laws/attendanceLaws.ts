/**
 * Tests attendance across two servers. Taps take effect in the order they were made, even if they arrive out of order.
 */
import * as Instant from "@trailbook/core/time/Instant"
import { makeRandomIntegers } from "@trailbook/testkit/fake/randomIntegers"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { minuteMs, race, runConcurrently, sessionStarts, type TwoServerFixture } from "./race/TwoServerFixture.ts"

/**
 * Creates a three-seat booking whose session started ten minutes ago. `after` returns the time this many minutes after
 * the start.
 */
const openDeparted = ({ book, clock, offered }: TwoServerFixture) =>
  Effect.gen(function*() {
    const { offering_id, slots: [slot, later] } = yield* offered({ kind: "class", capacity: 9 }, sessionStarts)
    const { id } = yield* book({ offering_id, ...slot, quantity: 3 })
    const start = Instant.parse(sessionStarts[0] ?? "") ?? Instant.min
    const minutesAfter = (minutes: number) => Instant.format(Instant.addMinutes(start, minutes))
    yield* clock.set(Instant.addMinutes(start, 10))
    return { id, later, after: minutesAfter }
  })

const checkIn = "bookings.check_in"
const noShow = "bookings.mark_no_show"
const clear = "bookings.clear_attendance"

export const attendanceLaws = [
  race(
    "attendance/order",
    "keeps the attendance with the latest timestamp, even if changes arrive out of order",
    function*(fixture, round) {
      const { after, id } = yield* openDeparted(fixture)
      const taps = [
        [checkIn, { at: after(1), arrived: 1 }],
        [clear, { at: after(2) }],
        [noShow, { at: after(3) }],
        [clear, { at: after(4) }],
        [checkIn, { at: after(4), arrived: 1 }],
        [noShow, { at: after(4) }],
        [checkIn, { at: after(4), arrived: 2 }]
      ] as const
      const next = makeRandomIntegers(round)
      const inOtherOrder = [...taps, ...taps].map((tap) => ({ tap, rank: next() })).sort((a, b) => a.rank - b.rank)
        .map(({ tap: [name, input] }) => fixture.call(name, { id, ...input }))
      if (round % 2 === 0) assert.deepStrictEqual((yield* runConcurrently(round, inOtherOrder)).codes, [])
      else yield* Effect.all(inOtherOrder)
      const { attendance } = yield* fixture.booking(id)
      assert.strictEqual(attendance?.status, "checked_in")
      assert.strictEqual(attendance?.arrived, 2)
      assert.strictEqual(attendance?.at, after(4))
    }
  ),

  race(
    "attendance/changes",
    "clears attendance and ignores earlier changes to it when a booking moves or is canceled",
    function*(fixture, round) {
      const { after, id, later } = yield* openDeparted(fixture)
      yield* fixture.call(checkIn, { id, at: after(1) })
      const isMoved = round % 2 === 0
      const change = isMoved ? fixture.call("bookings.move", { id, ...later }) : fixture.call("bookings.cancel", { id })
      const late = fixture.call(noShow, { id, at: after(2) })
      yield* fixture.clock.advance(minuteMs)
      const { codes } = yield* runConcurrently(round, [late, change, late])
      assert.deepStrictEqual(codes, [])
      const booking = yield* fixture.booking(id)
      assert.isNull(booking.attendance)
      assert.strictEqual(booking.status, isMoved ? "confirmed" : "cancelled")
      yield* late
      assert.deepStrictEqual(yield* fixture.booking(id), booking)
    }
  )
]
