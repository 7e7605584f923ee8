/** Tests session plans and session changes that race with each other and with bookings. */
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { origin } from "@trailbook/testkit/generator/moment"
import * as Store from "@trailbook/testkit/law/Store"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { assert } from "vitest"
import { decodeAnswer, minuteMs, race, runConcurrently, sessionStarts } from "./race/TwoServerFixture.ts"

const Planned = Schema.Struct({
  created: Schema.Number,
  existing: Schema.Number,
  sessions: Schema.Array(Schema.Struct({ starts_at: Schema.String, session_id: Schema.NullOr(Schema.String) }))
})

const allSessions = { limit: 1000, now: origin }

const formatDate = (days: number): string =>
  LocalDate.format(LocalDate.make(Math.floor(origin / (1440 * minuteMs)) + days))

export const planLaws = [
  race(
    "races/plans",
    "creates one session per planned start time, even during concurrent runs",
    function*({ call, offer, orgId }, round) {
      const id = yield* offer({ kind: "class" })
      const plan = {
        id,
        weekdays: [0, 1, 2, 3, 4, 5, 6],
        times: ["09:00", "13:30"],
        from_date: formatDate(1),
        to_date: formatDate(3 + round % 3)
      }
      const schedule = decodeAnswer(Planned)(call("sessions.plan", plan))
      const preview = yield* decodeAnswer(Planned)(call("sessions.plan", { ...plan, dry_run: true }))
      assert.deepStrictEqual(yield* Store.sessions.list({ ...allSessions, orgId }), [])
      const { codes, won } = yield* runConcurrently(round, [schedule, schedule, schedule])
      assert.deepStrictEqual(codes, [])
      const storedSessions = (yield* Store.sessions.list({ ...allSessions, orgId })).map(({ session }) => session)
      assert.strictEqual(new Set(storedSessions.map(({ startsAt }) => startsAt)).size, storedSessions.length)
      assert.deepStrictEqual([storedSessions.length, won.reduce((sum, { created }) => sum + created, 0)], [
        preview.created,
        preview.created
      ])
      const [first] = storedSessions
      yield* call("sessions.cancel", { id: first?.id })
      const { created, existing, sessions } = yield* schedule
      assert.deepStrictEqual([created, existing], [0, storedSessions.length])
      assert.deepStrictEqual(sessions.map(({ session_id }) => session_id), storedSessions.map(({ id }) => id))
    }
  ),

  race(
    "races/session-update",
    "changes a session's start time only while it has no bookings",
    function*({ book, call, offered, orgId, stored }, round) {
      const { offering_id, slots: [slot] } = yield* offered({ kind: "class", capacity: 9 }, sessionStarts.slice(0, 1))
      const sell = book({ offering_id, ...slot })
      const [{ session } = { session: undefined }] = yield* Store.sessions.list({ ...allSessions, orgId })
      const update = call("sessions.update", { id: session?.id, starts_at: sessionStarts[1] })
      const { codes } = yield* runConcurrently<unknown, never>(round, [sell, update, sell])
      assert.includeDeepMembers([[], ["has_bookings"]], [codes])
      const [{ session: after } = { session: undefined }] = yield* Store.sessions.list({ ...allSessions, orgId })
      for (const { startsAt } of yield* stored) assert.strictEqual(startsAt, after?.startsAt)
      yield* Effect.forEach(yield* stored, ({ id }) => call("bookings.cancel", { id }))
      yield* update
    }
  )
]
