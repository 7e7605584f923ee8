import { defaultAutomationSettings } from "@trailbook/core/automation/automationSettings"
import { type FillRateClass, proposeFillRateActions } from "@trailbook/core/automation/fillRateRules"
import { countGuests } from "@trailbook/core/automation/Trip"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { fillClass, fillSession, nine, voice } from "./trips.ts"

const now = Instant.addMinutes(nine, -24 * 60)
const day = (days: number, minutes = 0) => Instant.addMinutes(nine, days * 24 * 60 + minutes)
const of = (classes: ReadonlyArray<FillRateClass>, settings = {}, spoken: ReadonlyArray<string> = []) =>
  proposeFillRateActions({ sender: voice, classes, pendingSessionIds: new Set(spoken) }, {
    ...defaultAutomationSettings.fill,
    ...settings
  }, now)

it("repeats a day's sessions on the next day if they are booked to full_pct", () => {
  const early = fillSession("s1", nine, 9, 10)
  const late = { ...fillSession("s2", day(0, 300), 7, 10), capacity: 10 }
  const [proposal, ...others] = of([fillClass([early, late])])
  expect(others).toEqual([])
  expect(proposal).toMatchObject({ subject: "offering:o1", day: 20611, sessionId: null, expiresAt: day(1) })
  expect(proposal?.actions.map(({ input, op }) => [op, input])).toEqual([
    ["sessions.create", { offering_id: "o1", starts_at: Instant.format(day(1)) }],
    ["sessions.create", { offering_id: "o1", starts_at: Instant.format(day(1, 300)), capacity: 10 }]
  ])
  expect(proposal?.actions.every(({ reversible }) => reversible)).toBe(true)
  // 16 of 20 seats is 80%, and 15 is less.
  expect(of([fillClass([fillSession("s1", nine, 8, 10), late])])).toEqual([])
  expect(of([fillClass([early, late])], { full_pct: 81 })).toEqual([])
})

it("proposes no session at a time that is taken, was canceled, or cannot be booked", () => {
  const full = fillSession("s1", nine, 10, 10)
  expect(of([fillClass([full, fillSession("s2", day(1), 0, 10)])])).toEqual([])
  expect(of([fillClass([full], { cancelledStarts: [day(1)] })])).toEqual([])
  expect(of([fillClass([full], { minNoticeMinutes: 48 * 60 })])).toHaveLength(1)
  expect(of([fillClass([full], { minNoticeMinutes: 48 * 60 + 1 })])).toEqual([])
  expect(of([fillClass([full], { maxAdvanceDays: 2 })])).toHaveLength(1)
  expect(of([fillClass([full], { maxAdvanceDays: 1 })])).toEqual([])
})

it("proposes the same local time on the next day, even across a clock change", () => {
  const before = Instant.make(Date.UTC(2026, 9, 31, 15))
  const [proposal] = of([fillClass([fillSession("s1", before, 10, 10)])])
  expect(proposal?.actions[0]?.input).toMatchObject({ starts_at: "2026-11-01T16:00:00.000Z" })
})

it("warns that canceling a session will not refund a disputed payment", () => {
  const few = fillSession("s1", nine, 2, 10)
  const parties = few.parties.map((party) => ({ ...party, isDisputed: true }))
  const [call] = of([fillClass([{ ...few, parties }])], { min_guests: 4, full_pct: 100 })
  expect(call?.actions.at(-1)?.facts.reason).toBe(
    "2 of the 4 required guests booked. Warning: 2 payments are disputed by the guest's bank and will not be refunded."
  )
})

it("merges a session with few guests into the nearest session with room", () => {
  const few = fillSession("s1", nine, 2, 10)
  const near = fillSession("s2", day(0, 120), 5, 10)
  const far = fillSession("s3", day(0, -180), 5, 10)
  const proposals = of([fillClass([few, near, far])], { min_guests: 4, full_pct: 100 })
  expect(proposals).toHaveLength(1)
  expect(proposals[0]?.actions.map(({ input, kind }) => [kind, kind === "message" ? null : input])).toEqual([
    ["move_booking", { id: "s1 b0", session_id: "s2" }],
    ["message", null],
    ["move_booking", { id: "s1 b1", session_id: "s2" }],
    ["message", null],
    ["cancel_session", { id: "s1" }]
  ])
  const kindsWith = (others: ReadonlyArray<ReturnType<typeof fillSession>>, spoken: ReadonlyArray<string> = []) =>
    of([fillClass([few, ...others])], { min_guests: 4, full_pct: 100 }, spoken)[0]?.actions.map(({ kind }) => kind)
  for (const none of [[], [fillSession("s2", day(1, 1), 5, 10)], [fillSession("s2", day(0, 60), 9, 10)]]) {
    expect(kindsWith(none)).toEqual(["message", "cancel_session"])
  }
  expect(kindsWith([near], ["s2"])).toEqual(["message", "cancel_session"])
  expect(kindsWith([near], ["s1"])).toBeUndefined()
  expect(of([fillClass([fillSession("s1", nine, 0, 10)])], { min_guests: 4 })[0]?.actions.map(({ kind }) => kind))
    .toEqual(["cancel_session"])
  expect(of([fillClass([few])], { min_guests: 2 })).toEqual([])
  expect(of([fillClass([few])], { min_guests: null })).toEqual([])
  expect(of([fillClass([few])], { min_guests: 4, min_guests_hours: 23 })).toEqual([])
})

const sessions = FastCheck.uniqueArray(
  FastCheck.record({
    at: FastCheck.integer({ min: 0, max: 40 }),
    booked: FastCheck.nat(6),
    room: FastCheck.nat(6)
  }),
  { minLength: 1, maxLength: 8, selector: ({ at }) => at }
).map((rows) => rows.map(({ at, booked, room }) => fillSession(`s${at}`, day(0, at * 60), booked, booked + room)))

/** Returns each session's guests after all proposed actions have been executed, and the canceled sessions. */
const carriedOut = (all: ReadonlyArray<ReturnType<typeof fillSession>>, proposed: ReturnType<typeof of>) => {
  const at = new Map(all.map((session) => [session.sessionId, session.parties.map(({ bookingId }) => bookingId)]))
  const cancelled = new Set<string>()
  for (const { input, kind } of proposed.flatMap(({ actions }) => actions)) {
    const id = String(input.id)
    if (kind === "move_booking") {
      for (const [session, ids] of at) at.set(session, ids.filter((other) => other !== id))
      at.get(String(input.session_id))?.push(id)
    }
    if (kind === "cancel_session") cancelled.add(id)
  }
  return { at, cancelled }
}

it("never moves a guest into a canceled or full session", () => {
  FastCheck.assert(
    FastCheck.property(sessions, FastCheck.integer({ min: 1, max: 6 }), (all, min_guests) => {
      const proposals = of([fillClass(all)], { min_guests, full_pct: 100 }).filter(({ sessionId }) =>
        sessionId !== null
      )
      const { at, cancelled } = carriedOut(all, proposals)
      for (const { parties, seats, sessionId } of all) {
        const there = at.get(sessionId) ?? []
        expect(there.length).toBeLessThanOrEqual(seats)
        if (!cancelled.has(sessionId)) expect(there).toEqual(expect.arrayContaining(parties.map((p) => p.bookingId)))
        // A canceled session has either no guests, or only its own guests if the other sessions had no room.
        else for (const id of there) expect(id.startsWith(`${sessionId} `)).toBe(true)
      }
      const guests = [...at.values()].flat()
      expect(new Set(guests).size).toBe(all.reduce((sum, session) => sum + countGuests(session), 0))
    }),
    { numRuns: 300 }
  )
})

it("shows that ignoring earlier proposals would merge two sessions into each other", () => {
  const pair = [fillSession("s1", nine, 2, 10), fillSession("s2", day(0, 60), 2, 10)]
  const targets = (proposals: ReturnType<typeof of>) =>
    proposals.flatMap(({ actions }) => actions.flatMap(({ input }) => input.session_id ?? []))
  const first = of([fillClass(pair)], { min_guests: 4 })
  expect(new Set(targets(first))).toEqual(new Set(["s2"]))
  // A guest in the first session leaves while the proposal is pending, so the second one now ranks first.
  const later = pair.map((session) => ({
    ...session,
    startsAt: Instant.addMinutes(nine, session.sessionId === "s1" ? 90 : 60)
  }))
  expect(new Set(targets(of([fillClass(later)], { min_guests: 4 })))).toEqual(new Set(["s1"]))
  expect(of([fillClass(later)], { min_guests: 4 }, ["s1", "s2"])).toEqual([])
})

describe("a new session", () => {
  const hours = (n: number) => Instant.addMinutes(now, n * 60)
  const isCalledOff = (isOpenedByFill: boolean, ageHours: number, min_guests_hours: number, bookedSeats: number) =>
    of([fillClass([{ ...fillSession("s1", nine, bookedSeats, 10), createdAt: hours(-ageHours), isOpenedByFill }])], {
      min_guests: 4,
      min_guests_hours,
      full_pct: 100
    }).length > 0

  it("is canceled for too few guests only after a grace period", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.boolean(),
        FastCheck.integer({ min: 0, max: 400 }),
        FastCheck.integer({ min: 24, max: 336 }),
        FastCheck.integer({ min: 0, max: 3 }),
        (isOpenedByFill, age, min_guests_hours, bookedSeats) => {
          const isNew = age < min_guests_hours && (isOpenedByFill || age < 24)
          expect(isCalledOff(isOpenedByFill, age, min_guests_hours, bookedSeats)).toBe(!isNew)
        }
      ),
      { numRuns: 300 }
    )
  })

  it("can receive the guests of another session", () => {
    const few = fillSession("s1", nine, 2, 10)
    const fresh = { ...fillSession("s2", day(0, 60), 0, 10), createdAt: now, isOpenedByFill: true }
    const [proposal, ...others] = of([fillClass([few, fresh])], { min_guests: 4, full_pct: 100 })
    expect(proposal?.data).toEqual({ guests: 2, to_session_id: "s2" })
    expect(others).toEqual([])
  })
})

it("moves guests by at most 24 hours, earlier or later", () => {
  const few = fillSession("s1", day(1, 0), 2, 10)
  const targetOf = (minutes: number) =>
    of([fillClass([few, fillSession("s2", day(1, minutes), 5, 10)])], { min_guests: 4, full_pct: 100 })[0]?.data[
      "to_session_id"
    ]
  for (const minutes of [1439, 1440, -1439]) expect(targetOf(minutes), String(minutes)).toBe("s2")
  for (const minutes of [1441, -1441]) expect(targetOf(minutes), String(minutes)).toBeUndefined()
})
