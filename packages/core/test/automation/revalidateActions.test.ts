import type { Action } from "@trailbook/core/automation/Action"
import { defaultAutomationSettings } from "@trailbook/core/automation/automationSettings"
import { proposeFillRateActions as fill } from "@trailbook/core/automation/fillRateRules"
import { proposeReminders as remind } from "@trailbook/core/automation/reminders"
import {
  type BookingState,
  type CurrentResourceStates,
  revalidateActions,
  toSessionStartKey
} from "@trailbook/core/automation/revalidateActions"
import { proposeWeatherActions as weather } from "@trailbook/core/automation/weatherRules"
import * as Instant from "@trailbook/core/time/Instant"
import { expect, it } from "vitest"
import { river } from "../forecast/readings.ts"
import { departure, fillClass, fillSession, nine, party, trip, voice } from "./trips.ts"

const now = Instant.addMinutes(nine, -24 * 60)
const booking: BookingState = {
  status: "confirmed",
  startsAt: nine,
  endsAt: Instant.addMinutes(nine, 120),
  sessionId: "s1",
  isNoShow: false,
  dueCents: 0,
  reachable: true
}
const present = (overrides: Partial<CurrentResourceStates> = {}): CurrentResourceStates => ({
  sessions: new Map([["s1", { status: "scheduled", startsAt: nine, bookingIds: ["b1", "b2"] }]]),
  bookings: new Map([["b1", booking], ["b2", booking]]),
  unavailableStarts: new Set(),
  doubtfulTripIds: new Set(),
  limitEvaluation: undefined,
  violatedLimits: ["max_flow_cfs"],
  ...overrides
})
const kinds = (actions: ReadonlyArray<Action>) => actions.map(({ kind }) => kind)

const off = weather(
  { sender: voice, trips: [trip({ parties: [party("b1"), party("b2")], river })] },
  { default: { max_flow_cfs: 100 }, offerings: {} },
  now
)[0]!.actions

it("drops a trip's proposed cancellation if the trip changes or the weather improves", () => {
  expect(kinds(revalidateActions(off, present(), now))).toEqual(["message", "cancel_session"])
  const fair = { broken: [], unknown: [] }
  expect(revalidateActions(off, present({ limitEvaluation: fair }), now)).toEqual([])
  // There is no current data for the exceeded limits, so the earlier data counts. Other missing data has no effect.
  expect(revalidateActions(off, present({ limitEvaluation: { ...fair, unknown: ["max_flow_cfs"] } }), now))
    .toHaveLength(2)
  expect(revalidateActions(off, present({ limitEvaluation: { ...fair, unknown: ["min_temp_c"] } }), now)).toEqual([])
  expect(revalidateActions(off, present(), nine)).toEqual([])
  for (const change of [{ status: "cancelled" as const }, { startsAt: Instant.addMinutes(nine, 60) }]) {
    const sessions = new Map([["s1", { status: "scheduled" as const, startsAt: nine, bookingIds: [], ...change }]])
    expect(revalidateActions(off, present({ sessions }), now)).toEqual([])
  }
})

it("drops a proposal to merge two sessions if another guest books", () => {
  const few = { ...fillSession("s1", nine, 2, 10), parties: [party("b1"), party("b2")] }
  const join = fill(
    {
      sender: voice,
      classes: [fillClass([few, fillSession("s2", Instant.addMinutes(nine, 60), 5, 10)])],
      pendingSessionIds: new Set()
    },
    { ...defaultAutomationSettings.fill, min_guests: 4 },
    now
  )[0]!.actions
  expect(revalidateActions(join, present(), now)).toHaveLength(5)
  const changedSessions = new Map([["s1", {
    status: "scheduled" as const,
    startsAt: nine,
    bookingIds: ["b1", "b2", "b3"]
  }]])
  expect(revalidateActions(join, present({ sessions: changedSessions }), now)).toEqual([])
  for (const change of [{ status: "cancelled" as const }, { sessionId: "s9" }]) {
    const bookings = new Map([["b1", booking], ["b2", { ...booking, ...change }]])
    expect(kinds(revalidateActions(join, present({ bookings }), now))).toEqual([
      "move_booking",
      "message",
      "cancel_session"
    ])
  }
})

it("drops a proposal to open a session if the time is taken", () => {
  const open = fill(
    { sender: voice, classes: [fillClass([fillSession("s1", nine, 10, 10)])], pendingSessionIds: new Set() },
    defaultAutomationSettings.fill,
    now
  )[0]!.actions
  const next = Instant.addMinutes(nine, 24 * 60)
  expect(revalidateActions(open, present(), now)).toHaveLength(1)
  expect(revalidateActions(open, present({ unavailableStarts: new Set([toSessionStartKey("o1", next)]) }), now))
    .toEqual(
      []
    )
  expect(revalidateActions(open, present(), next)).toEqual([])
})

it("keeps or drops each reminder separately", () => {
  const reminders = remind(
    {
      sender: voice,
      balances: [],
      departures: [departure([party("b1"), party("b2")])],
      reply: undefined,
      sentReminderKeys: new Set(),
      doubtfulTripIds: new Set(),
      past: []
    },
    defaultAutomationSettings.reminders,
    now
  )[0]!.actions
  expect(revalidateActions(reminders, present(), now)).toHaveLength(2)
  for (
    const change of [
      { status: "cancelled" as const },
      { reachable: false },
      { startsAt: Instant.addMinutes(nine, 60) }
    ]
  ) {
    const bookings = new Map([["b1", { ...booking, ...change }], ["b2", booking]])
    expect(revalidateActions(reminders, present({ bookings }), now).map(({ input }) => input.booking_id)).toEqual([
      "b2"
    ])
  }
  expect(revalidateActions(reminders, present(), Instant.addMinutes(nine, -12 * 60))).toEqual([])
})

it("drops a balance reminder once the balance is paid or the trip starts", () => {
  const reminders = remind(
    {
      sender: voice,
      balances: [departure([party("b1", { dueCents: 100 }), party("b2", { dueCents: 1 })])],
      departures: [],
      reply: undefined,
      sentReminderKeys: new Set(),
      doubtfulTripIds: new Set(),
      past: []
    },
    { ...defaultAutomationSettings.reminders, balance_due_days: 1 },
    now
  )[0]!.actions
  const bookings = new Map([["b1", booking], ["b2", { ...booking, dueCents: 1 }]])
  expect(revalidateActions(reminders, present({ bookings }), now).map(({ input }) => input.booking_id)).toEqual(["b2"])
  expect(revalidateActions(reminders, present({ bookings }), nine)).toEqual([])
})

it("drops the reminders for a canceled session, even before its bookings are canceled", () => {
  const reminders = remind(
    {
      sender: voice,
      balances: [],
      departures: [departure([party("b1"), party("b2")])],
      reply: undefined,
      sentReminderKeys: new Set(),
      doubtfulTripIds: new Set(),
      past: []
    },
    defaultAutomationSettings.reminders,
    now
  )[0]!.actions
  const sessions = new Map([["s1", { status: "cancelled" as const, startsAt: nine, bookingIds: [] }]])
  expect(revalidateActions(reminders, present({ sessions }), now)).toEqual([])
  const bookings = new Map([["b1", { ...booking, sessionId: null }], ["b2", booking]])
  expect(revalidateActions(reminders, present({ bookings, sessions }), now).map(({ input }) => input.booking_id))
    .toEqual([
      "b1"
    ])
})

it("keeps a reminder while any of the guest's bookings is confirmed", () => {
  const guestParties = [party("b1", { customerId: "g1" }), party("b2", { customerId: "g1" })]
  const { actions } = remind(
    {
      sender: voice,
      balances: [],
      departures: [departure(guestParties)],
      reply: undefined,
      sentReminderKeys: new Set(),
      doubtfulTripIds: new Set(),
      past: []
    },
    defaultAutomationSettings.reminders,
    now
  )[0]!
  expect(actions).toHaveLength(1)
  const bookings = new Map([["b1", { ...booking, status: "cancelled" as const }], ["b2", booking]])
  expect(revalidateActions(actions, present({ bookings }), now)).toHaveLength(1)
  expect(revalidateActions(actions, present({ bookings: new Map([["b1", bookings.get("b1")!]]) }), now)).toEqual([])
  expect(revalidateActions(actions, present({ doubtfulTripIds: new Set(["s1"]) }), now)).toEqual([])
})
