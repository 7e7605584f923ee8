/**
 * Checks the generators' coverage: the cases that 1,000 samples of each generator must include, and the limits that no
 * sample may exceed.
 */
import { isLive } from "@trailbook/core/booking"
import { OfferingView, offeringView } from "@trailbook/core/offering"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import { customer } from "@trailbook/testkit/generator/customer"
import { origin } from "@trailbook/testkit/generator/moment"
import { hours, offering } from "@trailbook/testkit/generator/offering"
import { org } from "@trailbook/testkit/generator/org"
import { orgData } from "@trailbook/testkit/generator/orgData"
import { script } from "@trailbook/testkit/generator/script"
import { metadata, text } from "@trailbook/testkit/generator/text"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"

const samples = <A>(arbitrary: FastCheck.Arbitrary<A>): ReadonlyArray<A> =>
  FastCheck.sample(arbitrary, { numRuns: 1000, seed: 42 })

/** Asserts that at least one sample meets each condition. */
const reach = <A>(all: ReadonlyArray<A>, conditions: { readonly [what: string]: (sample: A) => boolean }): void => {
  assert.deepStrictEqual(Object.keys(conditions).filter((what) => !all.some(conditions[what] ?? (() => true))), [])
}

const pairs = <A>(rows: ReadonlyArray<A>): ReadonlyArray<readonly [A, A]> =>
  rows.flatMap((a, at) => rows.slice(at + 1).map((b) => [a, b] as const))

describe("generators", () => {
  it("create unusual text, but only text that can be stored", () => {
    const all = samples(text(50))
    assert.isTrue(all.every((text) => text.isWellFormed() && !text.includes("\0")))
    reach(all, {
      empty: (text) => text === "",
      blank: (text) => text === " ",
      "a sign of a pattern": (text) => /[%_]/.test(text),
      "a quote": (text) => text.includes("'"),
      "a backslash": (text) => text.includes("\\"),
      "beyond the basic plane": (text) => /[\u{10000}-\u{10ffff}]/u.test(text),
      "a control character": (text) => /\p{Cc}/u.test(text)
    })
  })

  it("create metadata as JSON that round-trips", () => {
    const all = samples(metadata)
    for (const value of all) assert.deepStrictEqual(JSON.parse(JSON.stringify(value)), value)
    reach(all, {
      empty: (value) => Object.keys(value).length === 0,
      nested: (value) => Object.values(value).some((inner) => typeof inner === "object" && inner !== null),
      "a list": (value) => Object.values(value).some(Array.isArray),
      "a tiny number": (value) => JSON.stringify(value).includes("5e-324")
    })
  })

  it("create unusual hours, but none that end before they start", () => {
    const all = samples(hours)
    assert.isTrue(
      all.flat().every(({ endTime, startTime }) => startTime >= 0 && startTime < endTime && endTime <= 86_400)
    )
    const ofOneDay = (entries: (typeof all)[number]) => pairs(entries).filter(([a, b]) => a.weekday === b.weekday)
    reach(all, {
      none: (entries) => entries.length === 0,
      overlapping: (entries) => ofOneDay(entries).some(([a, b]) => a.startTime < b.endTime && b.startTime < a.endTime),
      touching: (entries) => ofOneDay(entries).some(([a, b]) => a.endTime === b.startTime),
      "24:00": (entries) => entries.some(({ endTime }) => endTime === 86_400),
      "over midnight": (entries) =>
        entries.some((late) =>
          late.endTime === 86_400 &&
          entries.some((early) => early.startTime === 0 && early.weekday === (late.weekday + 1) % 7)
        ),
      always: (entries) =>
        entries.length === 7 && entries.every(({ endTime, startTime }) => startTime === 0 && endTime === 86_400),
      "a second": (entries) => entries.some(({ startTime }) => startTime % 60 !== 0)
    })
  })

  it("create orgs in time zones known to the runtime", () => {
    for (const { timezone } of samples(org)) assert.isDefined(Zone.find(timezone), timezone)
  })

  it("create valid offerings of every kind, some of them deleted", () => {
    const all = samples(offering)
    for (const one of all) Schema.decodeUnknownSync(OfferingView)(offeringView(one))
    reach(all, {
      class: ({ kind }) => kind === "class",
      rental: ({ kind }) => kind === "rental",
      deleted: ({ deletedAt }) => deletedAt !== null,
      "not deleted": ({ deletedAt }) => deletedAt === null,
      paused: ({ active }) => !active,
      "back to back": ({ slotIntervalMinutes }) => slotIntervalMinutes === null,
      somewhere: ({ lat }) => lat !== null && !Number.isInteger(lat)
    })
  })

  it("create erased and existing customers, some with wildcard characters in their addresses", () => {
    reach(samples(customer), {
      erased: ({ email, erasedAt }) => erasedAt !== null && email === "",
      "not erased": ({ email, erasedAt }) => erasedAt === null && email !== "",
      "a sign of a pattern": ({ email }) => /[%_]/.test(email)
    })
  })

  it("create outfitters whose bookings include holds, equal spans, and adjacent spans", () => {
    reach(samples(orgData(15)), {
      empty: ({ bookings }) => bookings.length === 0,
      "a tie": ({ bookings }) => pairs(bookings).some(([a, b]) => a.startsAt === b.startsAt && a.endsAt !== b.endsAt),
      "equal spans": ({ bookings }) =>
        pairs(bookings).some(([a, b]) => a.startsAt === b.startsAt && a.endsAt === b.endsAt),
      "touching ends": ({ bookings }) => pairs(bookings).some(([a, b]) => a.endsAt === b.startsAt),
      "a millisecond apart": ({ bookings }) =>
        pairs(bookings).some(([a, b]) => Math.abs(a.startsAt - b.startsAt) === 1),
      "a live hold": ({ bookings }) => bookings.some((one) => one.status === "held" && isLive(one, origin)),
      "a hold that is over": ({ bookings }) => bookings.some((one) => one.status === "held" && !isLive(one, origin)),
      "cancelled in a session": ({ bookings }) =>
        bookings.some(({ sessionId, status }) => sessionId !== null && status === "cancelled"),
      moved: ({ bookings }) => bookings.some(({ previous }) => previous !== null)
    })
  })

  it("create bookings that refer only to existing rows", () => {
    for (const { bookings, customers, offerings, sessions } of samples(orgData(15))) {
      const has = (rows: ReadonlyArray<{ id: string }>, reference: string | null) =>
        reference === null || rows.some(({ id }) => id === reference)
      for (const { customerId, endsAt, offeringId, sessionId, startsAt } of bookings) {
        assert.isTrue(has(offerings, offeringId) && has(customers, customerId) && has(sessions, sessionId))
        assert.isTrue(startsAt < endsAt && startsAt >= Instant.min && endsAt <= Instant.max)
      }
      assert.strictEqual(new Set(bookings.map(({ reference }) => reference)).size, bookings.length)
    }
  })

  it("cover every kind of step and change in scripts", () => {
    const steps = samples(script(40)).flatMap(({ steps }) => steps)
    const tags = new Set(steps.map(({ _tag }) => _tag))
    assert.deepStrictEqual([...tags].sort(), ["Book", "Call", "Connect", "Move", "Pass", "Pay", "Repeat", "Sweep"])
    const called = new Set(steps.flatMap((step) => step._tag === "Call" ? [step.name] : []))
    assert.includeMembers([...called], [
      "bookings.cancel",
      "bookings.update",
      "bookings.check_in",
      "bookings.clear_attendance",
      "bookings.confirm",
      "bookings.mark_no_show",
      "bookings.resend",
      "customers.delete",
      "customers.update",
      "customers.upsert",
      "offerings.create",
      "offerings.delete",
      "offerings.set_hours",
      "offerings.update",
      "org.update",
      "sessions.cancel",
      "sessions.create"
    ])
  })
})
