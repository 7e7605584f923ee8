/**
 * Tests inputs at their limits: empty lists, repeated keys, and values at their maximum length or count. A column that
 * is slightly too short, or a truncated parameter list, loses data silently. The tests cover every maximum and the
 * nearby lengths at which databases and drivers are known to truncate.
 */
import * as Task from "@trailbook/core/task/Task"
import * as Instant from "@trailbook/core/time/Instant"
import type { Metadata } from "@trailbook/core/wire/Field"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import { origin } from "../generator/moment.ts"
import type { OrgData } from "../generator/orgData.ts"
import { newEvent } from "./event/endpoints.ts"
import { law } from "./Law.ts"
import { assertFinds, assertSameRows } from "./rowAssertions.ts"
import { copyBookingWithNewIds, newStaffMember, type SampleRows, seedOneOfEachResource } from "./sampleRows.ts"
import { createEmptyOrg, newId } from "./seedOrg.ts"
import * as Store from "./Store.ts"
import { listUnclaimedTasks } from "./task/tasks.ts"

/** Known truncation limits of columns, buffers, and drivers. */
const truncationLimits = [1, 64, 100, 128, 255, 256, 1000, 1024, 2000, 4000, 4096]

/** Returns each limit up to the field's maximum, plus the lengths just below and above it. */
const toLengths = (max: number): ReadonlyArray<number> =>
  [...new Set([...truncationLimits.flatMap((cut) => [cut - 1, cut, cut + 1]), max - 1, max])].filter((length) =>
    length <= max
  )

/** A character of each UTF-8 size, and a character that consists of two code points. */
const letters = ["a", "é", "水", "🚣", "e\u0301"]

/** Returns a text with the given number of code points. The last code point differs, so that truncation is visible. */
const makeText = (letter: string, length: number): string => {
  const points = [...letter]
  return Array.from({ length }, (_, at) => at === length - 1 ? "!" : points[at % points.length]).join("")
}

const makeTexts = (max: number): ReadonlyArray<string> =>
  letters.flatMap((letter) => toLengths(max).map((length) => makeText(letter, length)))

/** Returns the n-th text for a field. After the last text, starts over with the first. */
const makeNthText = (max: number) => {
  const texts = makeTexts(max)
  return (at: number): string => texts[at % texts.length] ?? ""
}

/** The number of rounds, which is enough for the longest field. */
const rounds = makeTexts(5000).length

/** Returns the largest metadata that a request can contain: 16 KiB of JSON, nested 8 levels deep. */
const fullMetadata = (): Metadata => {
  const deep = Array.from({ length: 6 }).reduce<Metadata>((inner) => ({ in: inner }), { end: true })
  const empty = JSON.stringify({ deep, text: "" })
  return { deep, text: makeText("x", 16 * 1024 - empty.length) }
}

/** Row counts, including more than one booking batch, more than one page, and numbers around powers of two. */
const rowCounts = [2, 64, 65, 128, 129, 501]

/** Stores the given number of rows in an org. Each row has a unique ID, reference, handle, and key. */
const storeManyRows = (count: number) =>
  Effect.gen(function*() {
    const sample = yield* seedOneOfEachResource
    const makeRows = <Row>(row: (at: number) => Row): ReadonlyArray<Row> =>
      Array.from({ length: count }, (_, at) => row(at))
    const offerings = makeRows(() => ({ ...sample.offering, id: newId() }))
    const sessions = makeRows(() => ({ ...sample.session, id: newId() }))
    const customers = makeRows((at) => ({ ...sample.customer, id: newId(), email: `guest-${at}@a.co` }))
    const bookings = makeRows((at) => ({
      ...copyBookingWithNewIds(sample.booking),
      sessionId: sessions[at]?.id ?? null,
      quantity: 1 + at % 7
    }))
    yield* Store.run(Effect.gen(function*() {
      yield* Store.offerings.put(offerings)
      yield* Store.sessions.put(sessions)
      yield* Store.customers.put(customers)
      yield* Store.bookings.put(bookings)
    }))
    return { orgId: sample.org.id, known: sample, rows: { offerings, sessions, customers, bookings } }
  })

/** Asserts that every lookup by key finds these rows, each once, even if the keys are repeated. */
const assertAllFound = (
  { bookings, customers, offerings, sessions }: OrgData,
  toKeys: <Row>(rows: ReadonlyArray<Row>) => ReadonlyArray<Row> = (rows) => rows
) =>
  Effect.gen(function*() {
    const requestKeys = bookings.map(({ idempotency: { key }, orgId }) => ({ orgId, key }))
    const recordLists = [
      yield* Store.bookings.find(toKeys(bookings)),
      yield* Store.bookings.lock(toKeys(bookings)),
      yield* Store.bookings.findByIdempotencyKey(toKeys(requestKeys))
    ]
    for (const records of recordLists) assertSameRows(records.map(({ booking }) => booking), bookings)
    assertSameRows(yield* Store.offerings.find(toKeys(offerings)), offerings)
    assertSameRows(yield* Store.offerings.lock(toKeys(offerings)), offerings)
    assertSameRows(yield* Store.sessions.lock(toKeys(sessions)), sessions)
    assertSameRows(yield* Store.customers.find(toKeys(customers)), customers)
    assertSameRows(yield* Store.customers.lock(toKeys(customers)), customers)
    assertSameRows(yield* Store.customers.lockByEmail(toKeys(customers)), customers)
  })

/** Stores these rows and asserts that the storage returns them unchanged. */
const assertStoredWhole = (
  { booking, customer, offering }: Pick<SampleRows, "booking" | "customer" | "offering">
) =>
  Effect.gen(function*() {
    yield* Store.offerings.put([offering])
    yield* Store.customers.put([customer])
    yield* Store.bookings.put([booking])
    assert.deepStrictEqual(yield* Store.offerings.find([offering]), [offering])
    assert.deepStrictEqual(yield* Store.customers.find([customer]), [customer])
    assert.deepStrictEqual((yield* Store.bookings.find([booking]))[0]?.booking, booking)
  })

export const boundLaws = [
  law(
    "bounds/text",
    "returns the complete text of every field, up to its maximum length",
    function*() {
      const sample = yield* seedOneOfEachResource
      const [name, orgName, phone, place, gauge] = [
        makeNthText(120),
        makeNthText(80),
        makeNthText(40),
        makeNthText(200),
        makeNthText(40)
      ]
      const [paragraph, notes] = [makeNthText(2000), makeNthText(5000)]
      const longMember = { ...newStaffMember(sample.org.id), email: `${"a".repeat(64)}@${"b".repeat(186)}.co` }
      for (let at = 0; at < rounds; at++) {
        const org = { ...sample.org, name: orgName(at), replyWindow: place(at), awayNotice: paragraph(at) }
        const offering = {
          ...sample.offering,
          name: name(at),
          description: paragraph(at),
          location: place(at),
          gaugeSite: gauge(at)
        }
        const customer = { ...sample.customer, name: name(at), phone: phone(at), notes: notes(at) }
        const booking = { ...sample.booking, notes: paragraph(at) }
        const member = { ...longMember, name: name(at) }
        yield* Store.orgs.put(org)
        yield* Store.staff.put(member)
        yield* assertStoredWhole({ offering, customer, booking })
        yield* assertFinds(Store.orgs.find(org.id), org)
        assert.deepStrictEqual(yield* Store.staff.list(member.orgId), [member])
      }
    }
  ),

  law(
    "bounds/metadata",
    "returns complete metadata of up to 16 KiB and 8 levels of nesting",
    function*() {
      const sample = yield* seedOneOfEachResource
      const metadata = fullMetadata()
      const offering = { ...sample.offering, metadata }
      const customer = { ...sample.customer, metadata }
      const booking = { ...sample.booking, metadata }
      yield* assertStoredWhole({ offering, customer, booking })
    }
  ),

  law(
    "bounds/many",
    "stores every row and answers every query of a large batch",
    function*() {
      for (const count of rowCounts) {
        const { known, orgId, rows } = yield* storeManyRows(count)
        const { bookings, sessions } = rows
        const tasks = bookings.map(({ id: subjectId }) =>
          Task.make({ id: newId(), orgId, kind: "refund", subjectId, dueAt: origin })
        )
        const events = bookings.map(({ id }) => ({ ...newEvent(orgId), data: { id } }))
        yield* Store.run(Effect.gen(function*() {
          yield* assertAllFound(rows)
          assert.deepStrictEqual(
            yield* Store.sessions.countBookedSeats(sessions.map(({ id }) => ({ orgId, id, now: origin }))),
            bookings.map(({ quantity }) => ({ booked: quantity, lapsedAt: null }))
          )
          const query = {
            orgId,
            offeringId: known.offering.id,
            startsAfter: known.session.startsAt,
            startsBefore: known.session.endsAt,
            endsAfter: known.session.startsAt,
            now: origin
          }
          const overlaps = yield* Store.bookings.overlapping(bookings.map(() => query))
          assert.deepStrictEqual(
            overlaps.map(({ bookedSpans }) => bookedSpans.reduce((sum, span) => sum + span.bookings, 0)),
            // The count includes the existing booking.
            bookings.map(() => count + 1)
          )
          yield* Store.tasks.add(tasks)
          yield* Store.eventLog.append(events)
        }))
        const taskIds = new Set(tasks.map(({ id }) => id))
        assert.strictEqual((yield* listUnclaimedTasks).filter(({ id }) => taskIds.has(id)).length, count)
        const latestEvents = yield* Store.eventLog.latest(orgId, count)
        assert.deepStrictEqual(latestEvents.map(({ data }) => data), events.map(({ data }) => data))
      }
    }
  )
]

export const emptyInputLaws = [
  law("nothing/asked", "returns nothing for an empty list of keys", function*() {
    const results = yield* Store.run(Effect.all([
      Store.bookings.findByIdempotencyKey([]),
      Store.bookings.lock([]),
      Store.bookings.overlapping([]),
      Store.bookings.findUnproven([]),
      Store.files.lock("o", []),
      Store.files.ofMessages("o", []),
      Store.files.removeOfMessages("o", []),
      Store.eventLog.heads([]),
      Store.tasks.retry([], origin),
      Store.sessions.countBookedSeats([])
    ]))
    assert.isTrue(results.every(({ length }) => length === 0))
  }),

  law("nothing/written", "changes nothing for an empty list of rows", function*() {
    const { id } = yield* createEmptyOrg
    yield* Store.run(Effect.all([
      Store.offerings.put([]),
      Store.customers.put([]),
      Store.sessions.put([]),
      Store.bookings.put([]),
      Store.bookings.update([]),
      Store.files.use([]),
      Store.tasks.add([]),
      Store.tasks.done([]),
      Store.tasks.release([]),
      Store.eventLog.rewrite(id, []),
      Store.eventLog.append([])
    ]))
    assert.deepStrictEqual(yield* Store.eventLog.latest(id, 10), [])
  }),

  law("nothing/latest", "returns no events if zero events are requested", function*() {
    const { id: orgId } = yield* createEmptyOrg
    yield* Store.eventLog.append([newEvent(orgId)])
    assert.deepStrictEqual(yield* Store.eventLog.latest(orgId, 0), [])
  })
]

const repeat = <Key>(keys: ReadonlyArray<Key>): ReadonlyArray<Key> => [...keys, ...keys]

export const duplicateInputLaws = [
  law("repeated/found", "returns a row once even if the input contains its key twice", function*() {
    const orgs = [yield* seedOneOfEachResource, yield* seedOneOfEachResource]
    const rows = {
      bookings: orgs.map(({ booking }) => booking),
      customers: orgs.map(({ customer }) => customer),
      offerings: orgs.map(({ offering }) => offering),
      sessions: orgs.map(({ session }) => session)
    }
    yield* Store.run(assertAllFound(rows, repeat))
  }),

  law(
    "repeated/counted",
    "returns one count for each key or query in the input, including duplicates",
    function*() {
      const { booking: { endsAt, offeringId, orgId, startsAt }, session } = yield* seedOneOfEachResource
      const query = {
        orgId,
        offeringId,
        startsAfter: Instant.min,
        startsBefore: Instant.max,
        endsAfter: Instant.min,
        now: origin
      }
      const empty = { ...query, startsBefore: startsAt }
      const oneBooking = { bookedSpans: [{ startsAt, endsAt, bookings: 1, quantity: 1 }], lapsedAt: null }
      const noBookings = { bookedSpans: [], lapsedAt: null }
      const seats = repeat([session.id, orgId].map((id) => ({ orgId, id, now: origin })))
      yield* Store.run(Effect.gen(function*() {
        const seatCounts = [1, 0, 1, 0].map((booked) => ({ booked, lapsedAt: null }))
        assert.deepStrictEqual(yield* Store.sessions.countBookedSeats(seats), seatCounts)
        assert.deepStrictEqual(
          yield* Store.bookings.overlapping(repeat([query, empty])),
          repeat([oneBooking, noBookings])
        )
      }))
    }
  )
]
