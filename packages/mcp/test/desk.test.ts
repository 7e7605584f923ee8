/** Tests tools that answer a front-desk question in one call, and arguments in the form people write them. */
import * as Effect from "effect/Effect"
import { assert, beforeAll, describe, it } from "vitest"
import { toAssistantCaller } from "../src/Caller.ts"
import * as Tools from "../src/tool/Tools.ts"
import { type Answer, type World, world } from "./World.ts"

interface Result {
  readonly data: Answer
  readonly text: string
  readonly isError: boolean
}

describe("the front desk tools", () => {
  let here: World
  let ask: (name: string, input?: object) => Promise<Result>
  let raft: Answer
  let fish: Answer
  let trip: Answer
  let booking: Answer
  beforeAll(async () => {
    here = await world()
    const tools = Tools.make(here.registry, here.sign, () => Effect.void)
    ask = async (name, input = {}) => {
      const operation = tools.find(name) ?? assert.fail(name)
      const caller = toAssistantCaller(here.caller())
      const { content, isError = false, structuredContent } = await here.run(
        tools.call(caller, operation, { ...input })
      )
      return { data: structuredContent as Answer, text: content.map(({ text }) => text).join("\n"), isError }
    }
    raft = await here.call("offerings.create", { name: "Browns Canyon Rafting", kind: "class", capacity: 8 })
    fish = await here.call("offerings.create", {
      name: "Fly Fishing",
      kind: "appointment",
      duration_minutes: 240,
      slot_interval_minutes: 60,
      min_notice_minutes: 120
    })
    const { data } = await here.call("sessions.create", { offering_id: raft.id, starts_at: "2027-06-06T16:00:00Z" })
    trip = data[0] ?? assert.fail()
    booking = await here.call("bookings.create", {
      offering_id: raft.id,
      session_id: trip.id,
      quantity: 3,
      customer: { email: "ann@example.com", name: "Ann Lee", phone: "+1 719 555 0142" }
    })
    await here.call("bookings.create", {
      offering_id: raft.id,
      session_id: trip.id,
      quantity: 2,
      customer: { email: "bob@example.com", name: "Bob" },
      hold_minutes: 60
    })
  })

  it("find a booking by any combination of criteria", async () => {
    const reference = String(booking.reference)
    const searches = ["Ann Lee", "555 0142", "ann@example.com", reference, "Lee raft sunday", "lee rafting 2027-06-06"]
    for (const q of [...searches, "Lee tomorrow"]) {
      const { data, text } = await ask("desk_find", { q })
      const bookings = data.bookings as ReadonlyArray<Answer>
      assert.deepStrictEqual(bookings.map(({ id }) => id), [booking.id], q)
      assert.include(text, reference, q)
    }
    const { data } = await ask("desk_find", { q: "rafting" })
    assert.lengthOf(data.bookings as ReadonlyArray<Answer>, 2)
    assert.deepInclude((data.offerings as ReadonlyArray<Answer>)[0], { id: raft.id })
    assert.match(String((await ask("desk_find", { q: "zzz" })).data.note), /^Nothing matches "zzz"/)
  })

  it("show several days of departures with their remaining seats", async () => {
    const { data, text } = await ask("schedule_get", { from: "2027-06-06" })
    const [departure] = data.departures as ReadonlyArray<Answer>
    assert.deepInclude(departure, {
      starts_local: "Sun 2027-06-06 10:00",
      session_id: trip.id,
      capacity: 8,
      booked: 5,
      held: 2,
      left: 3
    })
    assert.include(text, "capacity 8")
    const [open] = data.open as ReadonlyArray<{ readonly starts: ReadonlyArray<string> }>
    const [first = ""] = open?.starts ?? []
    assert.match(first, /^\d\d:\d\d-06:00 1 left$/)
    // A listed start time can be used unchanged in a booking.
    const starts_at = `2027-06-06T${first.slice(0, "09:00-06:00".length)}`
    const customer = { email: "cy@example.com" }
    const bookingResult = await ask("bookings_create", { offering_id: fish.id, starts_at, customer })
    assert.isFalse(bookingResult.isError, bookingResult.text)
    assert.isTrue((await ask("schedule_get", { from: "2027-06-06", to: "2027-06-30" })).isError)
  })

  it("explain why a start time is not bookable, and suggest alternatives", async () => {
    const because = async (input: object) => {
      const { data } = await ask("availability_explain", input)
      return [data.bookable, data.because, (data.alternatives as ReadonlyArray<Answer>)[0]?.starts_at]
    }
    const start = "2027-06-06T16:00:00.000Z"
    const atStart = { id: raft.id, starts_at: start }
    assert.deepStrictEqual(await because({ ...atStart, quantity: 3 }), [true, undefined, undefined])
    assert.deepStrictEqual(await because({ ...atStart, quantity: 4 }), [false, "full", undefined])
    const other = { id: raft.id, starts_at: "2027-06-06T18:00:00Z" }
    assert.deepStrictEqual(await because(other), [false, "not_a_start", start])
    assert.deepStrictEqual(await because({ id: raft.id, date: "2027-06-09" }), [false, "nothing_scheduled", start])
    const why = async (input: object) => (await because(input))[1]
    assert.strictEqual(await why({ id: fish.id, starts_at: "2027-06-05T15:00:00Z" }), "notice")
    assert.strictEqual(await why({ id: fish.id, starts_at: "2027-06-05T13:00:00Z" }), "past")
    assert.strictEqual(await why({ ...atStart, quantity: 90 }), "over_maximum")
  })

  it("accept a booking's reference instead of its ID", async () => {
    const { data } = await ask("bookings_get", { id: String(booking.reference).toLowerCase() })
    assert.strictEqual(data.id, booking.id)
    const unknown = await ask("bookings_get", { id: "ZZZZZZZZ" })
    assert.deepInclude(unknown.data, { code: "not_found" })
  })

  it("reject a local time without a UTC offset", async () => {
    const request = { offering_id: raft.id }
    const { data } = await ask("sessions_create", { ...request, starts_at: "2027-11-06T10:00" })
    assert.deepInclude(data, { code: "invalid_request", field: "starts_at" })
    const [, starts_at] = /send starts_at=(\S+)$/.exec(String(data.fix)) ?? []
    assert.strictEqual(starts_at, "2027-11-06T10:00-06:00")
    const sessionResult = await ask("sessions_create", { ...request, starts_at })
    assert.deepInclude(sessionResult.data.data[0], { starts_local: "Sat 2027-11-06 10:00" })
    // This time is after the DST change.
    const winter = await ask("sessions_create", { ...request, starts_at: "2027-11-08 10:00:00" })
    assert.include(String(winter.data.fix), "send starts_at=2027-11-08T10:00-07:00")
  })

  it("warn about past sessions and duplicate start times", async () => {
    const weekly = { offering_id: raft.id, starts_at: "2027-07-01T16:00:00Z" }
    const first = await ask("sessions_create", { ...weekly, repeat_weeks: 5 })
    assert.notProperty(first.data, "note")
    const again = await ask("sessions_create", { ...weekly, repeat_weeks: 6 })
    assert.match(String(again.data.note), /^Warning: this class already had a session at 5 of 6 starts\./)
    const past = await ask("sessions_create", { ...weekly, starts_at: "2025-07-01T16:00:00Z" })
    assert.match(String(past.data.note), /^Warning: 1 of 1 sessions start in the past\./)
    // The plan is for Thursdays at 10 a.m. in Denver. Each of the first six weeks has a session.
    const plan = { id: raft.id, weekdays: [4], times: ["10:00"], from_date: "2027-05-27", to_date: "2027-08-19" }
    const planResult = await ask("sessions_plan", { ...plan, dry_run: true })
    assert.strictEqual(
      planResult.data.note,
      "Warning: 2 of 13 starts are skipped because they are in the past. Warning: 6 of 13 starts are skipped because they already have a session."
    )
    const fresh = await ask("sessions_plan", { ...plan, from_date: "2027-08-12", dry_run: true })
    assert.notProperty(fresh.data, "note")
  })
})
