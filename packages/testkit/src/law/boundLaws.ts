/**
 * What is as long or as many as it may be. A column that is a little too short
 * and a list of parameters that ends too early lose data in silence, so every
 * maximum is tried, and the lengths around it at which databases and drivers
 * are known to cut.
 */
import type { Booking } from "@trailbook/core/booking/Booking"
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { OfferingStore } from "@trailbook/core/offering/OfferingStore"
import { OrgStore } from "@trailbook/core/org/OrgStore"
import { EventLog } from "@trailbook/core/port/EventLog"
import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import { SessionStore } from "@trailbook/core/session/SessionStore"
import { StaffStore } from "@trailbook/core/staff/StaffStore"
import * as Task from "@trailbook/core/task/Task"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import type { Metadata } from "@trailbook/core/wire/Field"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { assert } from "vitest"
import { origin } from "../generator/moment.ts"
import { byId } from "./compare.ts"
import { law } from "./Law.ts"
import { oneOfEach } from "./oneOfEach.ts"
import { freshId } from "./settle.ts"
import { unclaimed } from "./tasks.ts"
import { newMember } from "./traces.ts"

/** Where columns, buffers and drivers have been seen to end. */
const cuts = [1, 64, 100, 128, 255, 256, 1000, 1024, 2000, 4000, 4096]

/** At each cut, one less and one more, as far as the field goes, and its own maximum. */
const lengths = (max: number): ReadonlyArray<number> =>
  [...new Set([...cuts.flatMap((cut) => [cut - 1, cut, cut + 1]), max - 1, max])].filter((length) => length <= max)

/** A character of each size in UTF-8, and one that is two code points. */
const letters = ["a", "é", "水", "🚣", "e\u0301"]

/** Text of so many code points, its last one unlike the others, so that a cut shows. */
const textOf = (letter: string, length: number): string => {
  const points = [...letter]
  return Array.from({ length }, (_, at) => at === length - 1 ? "!" : points[at % points.length]).join("")
}

const texts = (max: number): ReadonlyArray<string> =>
  letters.flatMap((letter) => lengths(max).map((length) => textOf(letter, length)))

/** The n-th text of a field; the last ones again when there are no more. */
const nth = (max: number) => {
  const all = texts(max)
  return (at: number): string => all[at % all.length] ?? ""
}

/** As many as the longest field needs. */
const rounds = texts(5000).length

/** 16 KiB of JSON and 8 levels, which is all that a request may bring. */
const fullMetadata = (): Metadata => {
  const deep = Array.from({ length: 7 }).reduce<Metadata>((inner) => ({ in: inner }), { end: true })
  const empty = JSON.stringify({ deep, text: "" })
  return { deep, text: textOf("x", 16 * 1024 - empty.length) }
}

/** More than a batch of the desk, more than fits a page, and what lies around powers of two. */
const many = [2, 64, 65, 128, 129, 501]

/** Rows of an org as many as asked for, each with an id, a reference, a handle and a key of its own. */
const crowd = (count: number) =>
  Effect.gen(function*() {
    const known = yield* oneOfEach
    const each = <Row>(row: (at: number) => Row): ReadonlyArray<Row> =>
      Array.from({ length: count }, (_, at) => row(at))
    const offerings = each(() => ({ ...known.offering, id: freshId() }))
    const sessions = each(() => ({ ...known.session, id: freshId() }))
    const customers = each((at) => ({ ...known.customer, id: freshId(), email: `guest-${at}@a.co` }))
    const bookings = each((at): Booking => ({
      ...known.booking,
      id: freshId(),
      sessionId: sessions[at]?.id ?? null,
      reference: freshId().slice(-8),
      handle: freshId(),
      quantity: 1 + at % 7,
      idempotency: { key: freshId(), fingerprint: "" }
    }))
    const { run } = yield* UnitOfWork
    yield* run(Effect.gen(function*() {
      yield* (yield* OfferingStore).put(offerings)
      yield* (yield* SessionStore).put(sessions)
      yield* (yield* CustomerStore).put(customers)
      yield* (yield* BookingStore).put(bookings)
    }))
    return { orgId: known.org.id, known, offerings, sessions, customers, bookings }
  })

const sorted = <Row extends { readonly id: string }>(rows: ReadonlyArray<Row>) => rows.toSorted(byId)

/**
 * @category laws
 */
export const boundLaws = [
  law(
    "bounds/text",
    "text comes back whole in every field, up to the most characters that the field may have",
    function*() {
      const bookings = yield* BookingStore
      const customers = yield* CustomerStore
      const offerings = yield* OfferingStore
      const orgs = yield* OrgStore
      const staff = yield* StaffStore
      const known = yield* oneOfEach
      const [name, orgName, phone, place, gauge] = [nth(120), nth(80), nth(40), nth(200), nth(40)]
      const [paragraph, notes] = [nth(2000), nth(5000)]
      const somebody = { ...newMember(known.org.id), email: `${"a".repeat(64)}@${"b".repeat(186)}.co` }
      for (let at = 0; at < rounds; at++) {
        const org = { ...known.org, name: orgName(at), replyWindow: place(at), awayNotice: paragraph(at) }
        const offering = {
          ...known.offering,
          name: name(at),
          description: paragraph(at),
          location: place(at),
          gaugeSite: gauge(at)
        }
        const customer = { ...known.customer, name: name(at), phone: phone(at), notes: notes(at) }
        const booking = { ...known.booking, notes: paragraph(at) }
        const member = { ...somebody, name: name(at) }
        yield* orgs.put(org)
        yield* offerings.put([offering])
        yield* customers.put([customer])
        yield* bookings.put([booking])
        yield* staff.put(member)
        assert.deepStrictEqual(Option.getOrNull(yield* orgs.find(org.id)), org)
        assert.deepStrictEqual(yield* offerings.find([offering]), [offering])
        assert.deepStrictEqual(yield* customers.find([customer]), [customer])
        assert.deepStrictEqual((yield* bookings.find([booking]))[0]?.booking, booking)
        assert.deepStrictEqual(yield* staff.list(member.orgId), [member])
      }
    }
  ),

  law(
    "bounds/metadata",
    "metadata comes back whole, up to 16 KiB and 8 levels",
    function*() {
      const bookings = yield* BookingStore
      const customers = yield* CustomerStore
      const offerings = yield* OfferingStore
      const known = yield* oneOfEach
      const metadata = fullMetadata()
      const offering = { ...known.offering, metadata }
      const customer = { ...known.customer, metadata }
      const booking = { ...known.booking, metadata }
      yield* offerings.put([offering])
      yield* customers.put([customer])
      yield* bookings.put([booking])
      assert.deepStrictEqual(yield* offerings.find([offering]), [offering])
      assert.deepStrictEqual(yield* customers.find([customer]), [customer])
      assert.deepStrictEqual((yield* bookings.find([booking]))[0]?.booking, booking)
    }
  ),

  law(
    "bounds/many",
    "however many rows are written or asked for at once, each is stored and each question is answered",
    () =>
      Effect.forEach(many, (count) =>
        Effect.gen(function*() {
          const bookingStore = yield* BookingStore
          const customerStore = yield* CustomerStore
          const offeringStore = yield* OfferingStore
          const sessionStore = yield* SessionStore
          const taskStore = yield* TaskStore
          const log = yield* EventLog
          const { run } = yield* UnitOfWork
          const { bookings, customers, known, offerings, orgId, sessions } = yield* crowd(count)
          const tasks = bookings.map(({ id: subjectId }) =>
            Task.make({ id: freshId(), orgId, kind: "refund", subjectId, dueAt: origin })
          )
          const events = bookings.map(({ id }) => ({
            orgId,
            type: "org.updated" as const,
            data: { id },
            person: null,
            createdAt: origin
          }))
          yield* run(Effect.gen(function*() {
            const found = yield* bookingStore.lock(bookings)
            assert.deepStrictEqual(sorted(found.map(({ booking }) => booking)), sorted(bookings))
            const byKey = yield* bookingStore.findByIdempotencyKey(
              bookings.map(({ idempotency: { key } }) => ({ orgId, key }))
            )
            assert.deepStrictEqual(sorted(byKey.map(({ booking }) => booking)), sorted(bookings))
            assert.deepStrictEqual(sorted(yield* offeringStore.find(offerings)), sorted(offerings))
            assert.deepStrictEqual(sorted(yield* offeringStore.lock(offerings)), sorted(offerings))
            assert.deepStrictEqual(sorted(yield* sessionStore.lock(sessions)), sorted(sessions))
            assert.deepStrictEqual(sorted(yield* customerStore.find(customers)), sorted(customers))
            assert.deepStrictEqual(sorted(yield* customerStore.lock(customers)), sorted(customers))
            assert.deepStrictEqual(sorted(yield* customerStore.lockByEmail(customers)), sorted(customers))
            assert.deepStrictEqual(
              yield* sessionStore.booked(sessions.map(({ id }) => ({ orgId, id, now: origin }))),
              bookings.map(({ quantity }) => ({ booked: quantity, lapsedAt: null }))
            )
            const asked = {
              orgId,
              offeringId: known.offering.id,
              startsAfter: known.session.startsAt,
              startsBefore: known.session.endsAt,
              endsAfter: known.session.startsAt,
              now: origin
            }
            const touched = yield* bookingStore.overlapping(bookings.map(() => asked))
            assert.deepStrictEqual(
              touched.map(({ taken }) => taken.reduce((sum, span) => sum + span.bookings, 0)),
              // And the one that was there before.
              bookings.map(() => count + 1)
            )
            yield* taskStore.add(tasks)
            yield* log.append(events)
          }))
          const added = new Set(tasks.map(({ id }) => id))
          assert.strictEqual((yield* unclaimed).filter(({ id }) => added.has(id)).length, count)
          const told = yield* log.latest(orgId, count)
          assert.deepStrictEqual(told.map(({ data }) => data), events.map(({ data }) => data))
        }), { discard: true })
  )
]
