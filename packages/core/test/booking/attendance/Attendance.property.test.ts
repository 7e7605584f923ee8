import { type AttendanceChange, getCheckInOpenTime } from "@trailbook/core/booking/attendance/Attendance"
import type { Booking } from "@trailbook/core/booking/Booking"
import { type BookingCommand, bookingDecider, type BookingEvent } from "@trailbook/core/booking/BookingDecider"
import * as Decider from "@trailbook/core/Decider"
import type { Refusal } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runs } from "../../../../../test/runs.ts"
import { booking } from "../../generators/booking.ts"

const start = Instant.make(Date.UTC(2027, 4, 1, 15))
const after = (minutes: number) => Instant.addMinutes(start, minutes)
const now = after(60)
const zone = Zone.get("America/Denver")

/** A confirmed booking for three that has no attendance and was last changed a day before its start. */
const fresh: FastCheck.Arbitrary<Booking> = booking.filter(({ status }) => status === "confirmed").map((booking) => ({
  ...booking,
  startsAt: start,
  endsAt: after(120),
  quantity: 3,
  attendance: null,
  tapsFrom: after(-24 * 60)
}))

/**
 * Taps within a few minutes, so that their times collide. Some taps report a no-show too early, or too many arrivals.
 */
const tap = FastCheck.record({
  kind: FastCheck.constantFrom("checked_in" as const, "no_show" as const, "cleared" as const),
  arrived: FastCheck.option(FastCheck.integer({ min: 1, max: 4 }), { nil: undefined }),
  at: FastCheck.oneof(
    { weight: 6, arbitrary: FastCheck.integer({ min: -2, max: 4 }).map(after) },
    FastCheck.constantFrom(after(-13 * 60), after(-73 * 60), after(90))
  ),
  by: FastCheck.record({
    kind: FastCheck.constantFrom("staff" as const, "key" as const),
    id: FastCheck.constantFrom(null, "a", "b"),
    name: FastCheck.constantFrom("Ana", "Bo")
  })
})

type Command = Extract<BookingCommand, { readonly _tag: "Tap" | "Move" | "Cancel" }>

const run = (booking: Booking, command: Command): { state: Booking; code: string; events: ReadonlyArray<string> } => {
  const decision: Either.Either<Decider.Decision<Booking, BookingEvent>, Refusal> = Decider.run(bookingDecider)(
    booking,
    command
  )
  return Either.match(decision, {
    onLeft: ({ code }) => ({ state: booking, code, events: [] }),
    onRight: ({ events, state }) => ({ state, code: "done", events: events.map(({ _tag }) => _tag) })
  })
}

const record = (tap: AttendanceChange, at = now): Command => ({ _tag: "Tap", now: at, tap, zone })

/** Returns the state without the time of the last change, which can advance even if a tap has no effect. */
const visibleState = ({ attendance, startsAt, status }: Booking) => ({ attendance, startsAt, status })

const runAll = (booking: Booking, commands: ReadonlyArray<Command>) =>
  commands.reduce((state, command) => run(state, command).state, booking)

const orders = FastCheck.array(tap, { minLength: 1, maxLength: 7 }).chain((taps) =>
  FastCheck.record({
    taps: FastCheck.constant(taps),
    other: FastCheck.shuffledSubarray(taps, { minLength: taps.length })
  })
)

describe("check-in taps", () => {
  it("produce the same state in any order and when repeated", () => {
    FastCheck.assert(
      FastCheck.property(fresh, orders, (booking, { other, taps }) => {
        const inOrder = runAll(booking, taps.map((tap) => record(tap)))
        const inOther = runAll(booking, [...other, ...taps].map((tap) => record(tap)))
        expect({ ...inOther, updatedAt: 0 }).toEqual({ ...inOrder, updatedAt: 0 })
      }),
      { numRuns: runs(2000, 500) }
    )
  })

  it("produce the state of the latest valid tap", () => {
    const rank = { checked_in: 2, no_show: 1, cleared: 0 }
    FastCheck.assert(
      FastCheck.property(fresh, orders, (booking, { taps }) => {
        const allowedTaps = taps.filter(({ arrived = 3, at, kind }) =>
          at > after(-12 * 60) && (kind !== "checked_in" || arrived <= 3) && (kind !== "no_show" || at >= start)
        ).map(({ at, ...tap }) => ({ ...tap, at: Math.min(at, now) }))
        const last = Math.max(...allowedTaps.map(({ at }) => at))
        const atLast = allowedTaps.filter(({ at }) => at === last)
        const best = Math.max(...atLast.map(({ kind }) => rank[kind]))
        const most = Math.max(...atLast.filter(({ kind }) => rank[kind] === best).map(({ arrived = 3 }) => arrived))
        const { attendance } = runAll(booking, taps.map((tap) => record(tap)))
        const status = best === 2 ? "checked_in" : "no_show"
        const expected = { status, at: last, arrived: best === 2 ? most : 0 }
        if (allowedTaps.length === 0 || best === 0) expect(attendance).toBeNull()
        else expect(attendance).toMatchObject(expected)
      }),
      { numRuns: runs(2000, 500) }
    )
  })

  it("do not affect a later move or cancellation", () => {
    const change = FastCheck.constantFrom<Command>(
      { _tag: "Cancel", now },
      {
        _tag: "Move",
        now,
        to: { sessionId: null, startsAt: after(-30), endsAt: after(90) },
        target: Either.void
      }
    )
    FastCheck.assert(
      FastCheck.property(fresh, orders, FastCheck.nat(7), change, (booking, { taps }, count, change) => {
        const earlier = taps.filter(({ at }) => at < now).map((tap) => record(tap, after(70)))
        const changedState = runAll({ ...booking, sessionId: null }, [
          ...earlier.slice(0, count),
          change,
          ...earlier.slice(count)
        ])
        expect(visibleState(changedState)).toEqual(visibleState(run({ ...booking, sessionId: null }, change).state))
        expect(changedState.attendance).toBeNull()
      }),
      { numRuns: runs(1000, 300) }
    )
  })

  it("are ordered after the last change if they have no timestamp", () => {
    FastCheck.assert(
      FastCheck.property(fresh, tap, tap, (booking, first, second) => {
        const state = runAll(booking, [record(first)])
        const arrived = second.arrived === 4 ? 3 : second.arrived
        const result = run(state, record({ ...second, arrived, at: undefined }, after(1)))
        expect(result.code).toBe("done")
        expect(result.state.tapsFrom).toBeGreaterThan(state.tapsFrom)
        expect(result.state.attendance?.status).toBe(second.kind === "cleared" ? undefined : second.kind)
      })
    )
  })

  it("emit an event only if they change the booking", () => {
    FastCheck.assert(
      FastCheck.property(fresh, tap, tap, (booking, first, second) => {
        const before = runAll(booking, [record(first)])
        const { events, state } = run(before, record(second))
        const isChanged = JSON.stringify(before.attendance) !== JSON.stringify(state.attendance)
        expect(events.filter((type) => type !== "tap.void").length).toBe(isChanged ? 1 : 0)
      })
    )
  })
})

describe("check-in", () => {
  it("opens at midnight or 12 hours before the start, whichever is earlier", () => {
    const at = (text: string) => Instant.make(Date.parse(text))
    const openingOf = (startsAt: string) => Instant.format(getCheckInOpenTime({ startsAt: at(startsAt) }, zone))
    // 09:00 and 15:00 in Denver, which is six hours behind UTC.
    expect(openingOf("2027-05-01T15:00Z")).toBe("2027-05-01T03:00:00.000Z")
    expect(openingOf("2027-05-01T21:00Z")).toBe("2027-05-01T06:00:00.000Z")
  })

  it("rejects taps that are invalid, outdated, or too early", () => {
    const check = (patch: Partial<AttendanceChange>) => record({ kind: "checked_in", at: undefined, by, ...patch })
    const by = { kind: "staff", id: "a", name: "Ana" } as const
    FastCheck.assert(
      FastCheck.property(booking, fresh, (any, booking) => {
        const state = {
          ...any,
          startsAt: start,
          endsAt: after(120),
          tapsFrom: after(-1),
          quantity: 3,
          attendance: null
        }
        const expected = { held: "booking_held", cancelled: "booking_cancelled", confirmed: "done" }[any.status]
        expect(run(state, check({})).code).toBe(expected)
        expect(run(booking, check({ arrived: 4 })).code).toBe("invalid_request")
        expect(run(booking, check({ at: after(60 - 72 * 60 - 1) })).code).toBe("invalid_request")
        expect(run(booking, check({ at: after(-12 * 60 - 1) })).code).toBe("too_early")
        expect(run(booking, check({ kind: "no_show", at: after(-1) })).code).toBe("too_early")
      }),
      { numRuns: 50 }
    )
  })
})
