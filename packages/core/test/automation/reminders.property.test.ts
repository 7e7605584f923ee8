import { defaultAutomationSettings } from "@trailbook/core/automation/automationSettings"
import { updateReminderSubject } from "@trailbook/core/automation/messageTemplates"
import {
  getReminderWindow,
  proposeReminders,
  type ReminderKind,
  reminderKinds,
  toSentReminderKey
} from "@trailbook/core/automation/reminders"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"
import { departure, nine, party, voice } from "./trips.ts"

const all = { ...defaultAutomationSettings.reminders, after_6h: true }
const at = (minutes: number) => Instant.addMinutes(nine, minutes)
const base = {
  sender: voice,
  balances: [],
  reply: undefined,
  sentReminderKeys: new Set<string>(),
  doubtfulTripIds: new Set<string>(),
  past: []
}
const kindsAt = (now: Instant.Instant, departures = [departure([party("b1")])], settings = all) =>
  proposeReminders({ ...base, departures }, settings, now).map(({ data }) => data.reminder)

it("sends each reminder only between its due time and its deadline", () => {
  const hours = (hours: number) => at(hours * 60)
  expect(kindsAt(Instant.make(hours(-24) - 1))).toEqual([])
  expect(kindsAt(hours(-24))).toEqual(["before_24h"])
  expect(kindsAt(Instant.make(hours(-12) - 1))).toEqual(["before_24h"])
  expect(kindsAt(hours(-12))).toEqual([])
  expect(kindsAt(hours(-2))).toEqual(["before_2h"])
  expect(kindsAt(Instant.make(at(-30) - 1))).toEqual(["before_2h"])
  expect(kindsAt(at(-30))).toEqual([])
  // The trip ends after 2 hours.
  expect(kindsAt(Instant.make(hours(8) - 1))).toEqual([])
  expect(kindsAt(hours(8))).toEqual(["after_6h"])
  expect(kindsAt(Instant.make(hours(26) - 1))).toEqual(["after_6h"])
  expect(kindsAt(hours(26))).toEqual([])
})

it("reminds each confirmed guest once, and only if the guest booked before the due time", () => {
  const from = at(-24 * 60)
  const parties = [
    party("on time", { createdAt: from }),
    party("late", { createdAt: Instant.make(from + 1) }),
    party("held", { confirmed: false }),
    party("erased", { reachable: false }),
    party("told")
  ]
  const sentReminderKeys = new Set([toSentReminderKey("before_24h", "told"), toSentReminderKey("before_2h", "on time")])
  const [one] = proposeReminders({ ...base, sentReminderKeys, departures: [departure(parties)] }, all, from)
  expect(one?.actions.map(({ input }) => input.booking_id)).toEqual(["on time"])
  expect(one).toMatchObject({ subject: "before_24h:s1", sessionId: "s1", expiresAt: at(-12 * 60) })
})

it("sends no disabled reminder, and no thank-you without a review URL", () => {
  const afterTrip = at(8 * 60)
  const departures = [departure([party("b1")])]
  expect(proposeReminders({ ...base, departures, sender: { ...voice, reviewUrl: null } }, all, afterTrip)).toEqual([])
  expect(kindsAt(afterTrip, departures, defaultAutomationSettings.reminders)).toEqual([])
  expect(kindsAt(at(-24 * 60), departures, { ...all, before_24h: false })).toEqual([])
  expect(proposeReminders({ ...base, departures }, all, afterTrip)[0]?.actions[0]?.facts.body).toContain(
    "https://example.com/r"
  )
})

it("sends each guest one reminder per departure, with all of the guest's bookings", () => {
  const parties = FastCheck.array(FastCheck.record({ guest: FastCheck.nat(4), quantity: FastCheck.nat(8) }))
  FastCheck.assert(
    FastCheck.property(parties, (rows) => {
      const of = rows.map(({ guest, quantity }, n) => party(`b${n}`, { customerId: `g${guest}`, quantity }))
      const actions = proposeReminders({ ...base, departures: [departure(of)] }, all, at(-24 * 60))[0]?.actions ?? []
      expect(actions.length).toBe(new Set(of.map(({ customerId }) => customerId)).size)
      for (const { facts } of actions) {
        const guest = of.find(({ bookingId }) => bookingId === facts.booking_id)?.customerId
        const guestParties = of.filter(({ customerId }) => customerId === guest)
        expect(facts.booking_ids).toEqual(guestParties.map(({ bookingId }) => bookingId))
        expect(facts.guests).toBe(guestParties.reduce((sum, { quantity }) => sum + quantity, 0))
      }
    })
  )
})

it("reminds guests of an unpaid balance once, within the configured days", () => {
  FastCheck.assert(
    FastCheck.property(
      FastCheck.integer({ min: 1, max: 30 }),
      FastCheck.integer({ min: -1500, max: 45_000 }),
      FastCheck.array(FastCheck.nat(2), { maxLength: 4 }),
      (days, minutesAhead, dues) => {
        const parties = dues.map((dueCents, n) => party(`b${n}`, { dueCents, createdAt: at(-100_000) }))
        const settings = {
          ...defaultAutomationSettings.reminders,
          before_24h: false,
          before_2h: false,
          balance_due_days: days
        }
        const sentReminderKeys = new Set([toSentReminderKey("balance", "b0")])
        const proposed = (sentReminderKeys: ReadonlySet<string>) =>
          proposeReminders(
            { ...base, sentReminderKeys, departures: [], balances: [departure(parties)] },
            settings,
            at(-minutesAhead)
          ).flatMap(({ actions }) => actions.map(({ input }) => input.booking_id))
        const isDue = minutesAhead <= days * 1440 && minutesAhead > (days - 1) * 1440
        const owing = parties.filter(({ dueCents }) => isDue && dueCents > 0).map(({ bookingId }) => bookingId)
        expect(proposed(new Set())).toEqual(owing)
        expect(proposed(sentReminderKeys)).toEqual(owing.filter((id) => id !== "b0"))
      }
    )
  )
  const one = { ...base, departures: [], balances: [departure([party("b1", { dueCents: 100 })])] }
  expect(proposeReminders(one, defaultAutomationSettings.reminders, at(-1440))).toEqual([])
})

it("sends no reminder for a departure with a pending weather proposal", () => {
  const [session, rental] = [departure([party("b1")]), departure([party("b2")], { sessionId: null, offeringId: "o2" })]
  const count = (...doubtfulTripIds: ReadonlyArray<string>) =>
    proposeReminders(
      { ...base, departures: [session, rental], doubtfulTripIds: new Set(doubtfulTripIds) },
      all,
      at(-24 * 60)
    ).length
  expect([count(), count("s1"), count("b2"), count("s1", "b2")]).toEqual([2, 1, 1, 0])
})

it("asks a guest for at most one review in 30 days", () => {
  const trips = FastCheck.array(FastCheck.record({ guest: FastCheck.nat(2), day: FastCheck.nat(90) }), {
    maxLength: 20
  })
  FastCheck.assert(
    FastCheck.property(trips, (rows) => {
      const past = rows.map(({ day, guest }, n) =>
        departure([party(`b${n}`, { customerId: `g${guest}`, createdAt: at(-100_000) })], {
          sessionId: `s${n}`,
          startsAt: at(day * 1440),
          endsAt: at(day * 1440 + 120 + n)
        })
      )
      const reviewRequests = past.flatMap((one) => {
        const now = Instant.addMinutes(one.endsAt, 6 * 60)
        return proposeReminders({ ...base, departures: [one], past }, all, now).map(() => one)
      })
      for (const one of reviewRequests) {
        for (const other of reviewRequests) {
          const isSameGuest = one !== other && one.parties[0]?.customerId === other.parties[0]?.customerId
          if (isSameGuest) expect(Math.abs(one.endsAt - other.endsAt)).toBeGreaterThan(30 * 86_400_000)
        }
      }
      for (const { parties: [guest] } of past) {
        expect(reviewRequests.some(({ parties }) => parties[0]?.customerId === guest?.customerId)).toBe(true)
      }
    })
  )
})

it("names the trip's day 'Today' or 'Tomorrow', relative to the send time", () => {
  FastCheck.assert(
    FastCheck.property(
      FastCheck.nat(2 * 24 * 60),
      FastCheck.integer({ min: 12 * 60, max: 24 * 60 }),
      (start, ahead) => {
        const [startsAt, now] = [at(start), at(start - ahead)]
        const local = (instant: Instant.Instant) =>
          new Date(instant).toLocaleDateString("en-US", { timeZone: voice.timezone })
        const day = local(startsAt) === local(now) ? "Today" : "Tomorrow"
        expect(updateReminderSubject("Tomorrow: Rafting", startsAt, now, voice)).toBe(`${day}: Rafting`)
        expect(updateReminderSubject("Bring a hat", startsAt, now, voice)).toBe("Bring a hat")
      }
    )
  )
})

it("uses a saved reply for the day-before reminder, and fills in its variables", () => {
  const reply = "{first_name}, {offering} at {meeting_point}: {booking_link}"
  const departures = [departure([party("b1")])]
  const body = (now: Instant.Instant, text = reply, of = departures) =>
    proposeReminders({ ...base, reply: text, departures: of }, all, now)[0]?.actions[0]?.input.body
  expect(body(at(-24 * 60))).toBe("{first_name}, Rafting at The boathouse: https://example.com/b/x")
  expect(body(at(-120))).toContain("Rafting starts soon")
  // A variable without a value would leave a gap, so the guest gets the standard text.
  expect(body(at(-24 * 60), `${reply} {unknown}`)).toContain("This is a reminder that Rafting starts")
  const nowhere = departures.map((one) => ({ ...one, meetingPoint: "" }))
  expect(body(at(-24 * 60), reply, nowhere)).toContain("This is a reminder that Rafting starts")
})

it("sends no reminder twice or too late after an outage", () => {
  const bookings = FastCheck.array(
    FastCheck.record({ start: FastCheck.nat(6 * 24 * 60), made: FastCheck.nat(12 * 24 * 60) }),
    { maxLength: 12 }
  )
  // The automation runs every five minutes, except during the downtime.
  const sleeps = FastCheck.record({ from: FastCheck.nat(6 * 24 * 60), hours: FastCheck.nat(80) })
  FastCheck.assert(
    FastCheck.property(bookings, sleeps, (bookings, sleep) => {
      const departures = bookings.map(({ made, start }, n) =>
        departure([party(`b${n}`, { createdAt: at(start - made) })], {
          sessionId: `s${n}`,
          startsAt: at(start),
          endsAt: at(start + 120)
        })
      )
      const sentReminderKeys = new Set<string>()
      const seenSubjects = new Set<string>()
      for (let minute = -26 * 60; minute < 8 * 24 * 60; minute += 5) {
        if (minute >= sleep.from && minute < sleep.from + sleep.hours * 60) continue
        const now = at(minute)
        for (
          const { actions, data, day, subject } of proposeReminders(
            { ...base, departures, sentReminderKeys: sentReminderKeys },
            all,
            now
          )
        ) {
          const kind = data.reminder as ReminderKind
          expect(reminderKinds).toContain(kind)
          expect(seenSubjects.has(`${subject} ${day}`)).toBe(false)
          seenSubjects.add(`${subject} ${day}`)
          for (const { input } of actions) {
            const key = toSentReminderKey(kind, String(input.booking_id))
            expect(sentReminderKeys.has(key)).toBe(false)
            sentReminderKeys.add(key)
            const of = departures.find(({ parties }) => parties[0]?.bookingId === input.booking_id)!
            const { from, until } = getReminderWindow(kind, of)
            expect(now).toBeGreaterThanOrEqual(from)
            expect(now).toBeLessThan(until)
            expect(of.parties[0]!.createdAt).toBeLessThanOrEqual(from)
          }
        }
      }
      // Every guest who could be reminded during one of the runs must be reminded.
      for (const { endsAt, parties: [guest], startsAt } of departures) {
        const { from } = getReminderWindow("before_24h", { startsAt, endsAt })
        const turns = Array.from({ length: 144 }, (_, n) => (from - nine) / 60_000 + n * 5).map((m) =>
          Math.ceil(m / 5) * 5
        )
        const awake = turns.some((m) =>
          m >= -26 * 60 && at(m) < at((startsAt - nine) / 60_000 - 720) &&
          !(m >= sleep.from && m < sleep.from + sleep.hours * 60)
        )
        if (awake && guest!.createdAt <= from) {
          expect(sentReminderKeys.has(toSentReminderKey("before_24h", guest!.bookingId))).toBe(true)
        }
      }
    }),
    { numRuns: 25 }
  )
})
