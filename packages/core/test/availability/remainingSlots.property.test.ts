import {
  listPossibleSpans,
  type Slot,
  toSessionSlots,
  toSlots,
  toSpansOverlapQuery
} from "@trailbook/core/availability/remainingSlots"
import {
  type PlaceFacts,
  type PlaceUsage,
  resolvePlace,
  resolveSession,
  toOverlapQuery
} from "@trailbook/core/booking/checkPlace"
import { createBooking, type CreateBookingRequest } from "@trailbook/core/booking/createBooking"
import type { BookedSpan } from "@trailbook/core/capacity/claims"
import { makeFindClosure } from "@trailbook/core/offering/closure/Closure"
import { getLocalDate } from "@trailbook/core/offering/listSlots"
import * as Offering from "@trailbook/core/offering/Offering"
import * as Org from "@trailbook/core/org/Org"
import type { BookedSession, Session } from "@trailbook/core/session/Session"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { closures } from "../generators/closure.ts"
import { printAsJson } from "../generators/printed.ts"
import { question } from "../generators/question.ts"
import { script } from "../generators/script.ts"
import { world } from "../generators/world.ts"
import { day } from "../generators/zone.ts"
import { makeOrder } from "../world/order.ts"
import { listSpans, playAll } from "../world/play.ts"
import { findOverlaps } from "../world/World.ts"

const org = Org.make({ id: "org", name: "Org", slug: "org", timezone: "UTC", createdAt: Instant.min })
const ids = { bookingId: "b", customerId: "c", reference: "R", handle: "h", checkInToken: "c" }

/** Returns the outcome of a booking: the refusal or the place. */
const book = (
  facts: PlaceFacts,
  use: PlaceUsage,
  session: Session | undefined,
  wish: Partial<CreateBookingRequest>
): string => {
  const order = makeOrder({ offeringId: facts.offering.id, sessionId: session?.id, ...wish })
  const result = createBooking(order, ids, { ...facts, org, session, use, customer: Either.right({ id: "c" }) })
  return Either.match(result, {
    onLeft: (left) => left._tag === "Refusal" ? left.code : left._tag,
    onRight: ({ endsAt, startsAt }) => `${startsAt} to ${endsAt}`
  })
}

/** A date range with bookings that need not be aligned to a grid. */
const crowd = FastCheck.constantFrom("appointment" as const, "rental" as const).chain((kind) =>
  FastCheck.record({
    question: question(kind),
    capacity: FastCheck.integer({ min: 1, max: 6 }),
    active: FastCheck.oneof({ weight: 9, arbitrary: FastCheck.constant(true) }, FastCheck.constant(false)),
    closed: FastCheck.nat(3),
    taken: FastCheck.array(
      FastCheck.record({
        startMinutes: FastCheck.integer({ min: -600, max: 3000 }),
        minutes: FastCheck.integer({ min: 1, max: 1500 }),
        bookings: FastCheck.integer({ min: 1, max: 3 }),
        people: FastCheck.nat(2)
      }),
      { maxLength: 8 }
    )
  })
).chain((sample) =>
  closures(sample.question.zone.dateAt(sample.question.from), sample.question.offering)
    .map((closures) => ({ ...sample, closures: sample.closed === 0 ? closures : [] }))
).map(({ active, capacity, closures, question, taken }) => {
  const { from, length, now, to, zone } = question
  const offering = { ...question.offering, capacity, active, maxPerBooking: 10_000 }
  return printAsJson({
    facts: { offering, zone, now, closures },
    range: { from, to, length },
    taken: taken.map(({ bookings, minutes, people, startMinutes }): BookedSpan => {
      const startsAt = Instant.addMinutes(from, startMinutes)
      return { startsAt, endsAt: Instant.addMinutes(startsAt, minutes), bookings, quantity: bookings + people }
    })
  })
})

const listing = (
  { facts, range, taken }: {
    facts: PlaceFacts
    range: Parameters<typeof listPossibleSpans>[1]
    taken: ReadonlyArray<BookedSpan>
  }
) => toSlots(facts, listPossibleSpans(facts, range), taken)

describe("appointment and rental slots", () => {
  it("include exactly the start times that can be booked", () => {
    const counts = { booked: 0, full: 0, unlisted: 0 }
    FastCheck.assert(
      FastCheck.property(crowd, FastCheck.nat(), (crowd, around) => {
        const { facts, range: { from, length, to }, taken } = crowd
        const slots = new Map<number, Slot>(listing(crowd).map((slot) => [slot.startsAt, slot]))
        const starts = [...slots.keys()]
        // The hour around a listed start, or around any time if no start is listed.
        const middle = starts[around % Math.max(1, starts.length)] ?? from + (around % Math.max(1, to - from))
        const minutes: Array<number> = []
        for (let at = middle - 30 * 60_000; at < middle + 30 * 60_000; at += 60_000) {
          if (at >= from && at < to) minutes.push(at)
        }
        const outcomes = minutes.map((at) => {
          const startsAt = Instant.make(at)
          const place = resolvePlace(facts, { startsAt, length })
          const periods = facts.offering.kind === "rental" ? length.periods : undefined
          return {
            at,
            offered: Either.isRight(place) ? `${place.right.startsAt} to ${place.right.endsAt}` : place.left.code,
            booked: book(facts, { bookedSpans: taken }, undefined, { startsAt, periods })
          }
        })
        const unlisted = facts.offering.active ? "slot_unavailable" : "offering_paused"
        expect(outcomes).toEqual(minutes.map((at) => {
          const slot = slots.get(at)
          if (slot === undefined) return { at, offered: unlisted, booked: unlisted }
          const place = `${slot.startsAt} to ${slot.endsAt}`
          return { at, offered: place, booked: slot.remaining > 0 ? place : "slot_full" }
        }))
        counts.unlisted += outcomes.filter(({ booked }) => booked === "slot_unavailable").length
        counts.full += outcomes.filter(({ booked }) => booked === "slot_full").length
        counts.booked += outcomes.filter(({ booked }) => booked.includes("to")).length
      }),
      { numRuns: 200 }
    )
    expect(Math.min(counts.booked, counts.full)).toBeGreaterThan(20)
  })

  it("accept bookings up to exactly their remaining count", () => {
    FastCheck.assert(
      FastCheck.property(crowd, FastCheck.nat(), (crowd, pick) => {
        const { facts, range: { length }, taken } = crowd
        const slots = listing(crowd)
        const slot = slots[pick % Math.max(1, slots.length)]
        FastCheck.pre(slot !== undefined)
        const { kind } = facts.offering
        const place = `${slot.startsAt} to ${slot.endsAt}`
        const ask = (quantity: number, extra: ReadonlyArray<BookedSpan>) =>
          book(facts, { bookedSpans: [...taken, ...extra] }, undefined, {
            startsAt: slot.startsAt,
            quantity,
            periods: kind === "rental" ? length.periods : undefined
          })
        if (kind === "rental") {
          if (slot.remaining > 0) expect(ask(slot.remaining, [])).toBe(place)
          expect(ask(slot.remaining + 1, [])).toBe("slot_full")
          return
        }
        // Each party takes one unit of capacity, regardless of its size.
        for (let parties = 0; parties <= slot.remaining; parties++) {
          const before = Array.from({ length: parties }, (): BookedSpan => ({ ...slot, bookings: 1, quantity: 9 }))
          expect(ask(10_000, before)).toBe(parties < slot.remaining ? place : "slot_full")
        }
      }),
      { numRuns: 400 }
    )
  })

  it("do not exist while the offering is paused", () => {
    FastCheck.assert(
      FastCheck.property(crowd, (crowd) => {
        const { facts, range } = crowd
        expect(listPossibleSpans({ ...facts, offering: { ...facts.offering, active: false } }, range)).toEqual([])
      }),
      { numRuns: 50 }
    )
  })

  it("have the same remaining count when queried individually", () => {
    FastCheck.assert(
      FastCheck.property(world, script(25), (world, script) => {
        const after = playAll(world, script).at(-1)?.after ?? world
        for (const offering of after.offerings.filter(({ kind }) => kind !== "class")) {
          const { zone } = after.orgs.get(offering.orgId)!
          const facts: PlaceFacts = { offering, zone, now: after.now, closures: [] }
          const spans = listSpans(after, offering, 1)
          const all = toSpansOverlapQuery(facts, spans)
          const slots = toSlots(facts, spans, all === undefined ? [] : findOverlaps(after, all).bookedSpans)
          const expected = spans.flatMap((span) =>
            toSlots(facts, [span], findOverlaps(after, toOverlapQuery(offering, span, after.now)).bookedSpans)
          )
          expect(slots).toEqual(expected)
        }
      }),
      { numRuns: 60 }
    )
  })
})

describe("class slots", () => {
  const sessions = FastCheck.record({
    day,
    earlyMs: FastCheck.nat(3 * 86_400_000),
    minNoticeMinutes: FastCheck.constantFrom(0, 60, 1440),
    maxAdvanceDays: FastCheck.integer({ min: 1, max: 4 }),
    capacity: FastCheck.integer({ min: 1, max: 6 }),
    sessions: FastCheck.array(
      FastCheck.record({
        startMinutes: FastCheck.integer({ min: -600, max: 6000 }),
        capacity: FastCheck.option(FastCheck.integer({ min: 1, max: 6 })),
        status: FastCheck.constantFrom("scheduled" as const, "scheduled" as const, "cancelled" as const),
        booked: FastCheck.nat(8)
      }),
      { minLength: 1, maxLength: 8 }
    )
  }).chain((sample) =>
    FastCheck.oneof(FastCheck.constant([]), closures(sample.day.date, { orgId: "org", id: "o" }))
      .map((closures) => ({ ...sample, closures }))
  ).map(({ capacity, closures, day: { date, zone }, earlyMs, sessions, ...settings }) => {
    const from = zone.startOf(date)
    const offering = Offering.make({
      id: "o",
      orgId: "org",
      kind: "class",
      name: "Roll",
      createdAt: Instant.min,
      capacity
    })
    return printAsJson({
      facts: {
        offering: { ...offering, ...settings, maxPerBooking: 10_000 },
        zone,
        now: Instant.make(from - earlyMs),
        closures
      },
      sessions: sessions.map(({ booked, startMinutes, ...session }, n): BookedSession => ({
        booked,
        session: {
          ...session,
          id: `session-${n}`,
          orgId: "org",
          offeringId: "o",
          startsAt: Instant.addMinutes(from, startMinutes),
          endsAt: Instant.addMinutes(from, startMinutes + 120),
          createdAt: Instant.min,
          judgedAt: Instant.min,
          notes: ""
        }
      }))
    })
  })

  it("are the scheduled sessions that satisfy the notice period and the horizon", () => {
    FastCheck.assert(
      FastCheck.property(sessions, ({ facts, sessions }) => {
        const { maxAdvanceDays, minNoticeMinutes } = facts.offering
        const expected = sessions.filter(({ session: { startsAt, status } }) =>
          status === "scheduled" && startsAt - facts.now >= minNoticeMinutes * 60_000 &&
          getLocalDate(facts.zone, startsAt) - getLocalDate(facts.zone, facts.now) <= maxAdvanceDays &&
          makeFindClosure(facts.closures, facts.zone, facts.offering)(startsAt) === undefined
        ).map(({ booked, session: { capacity, endsAt, id, startsAt } }) => {
          const of = capacity ?? facts.offering.capacity
          return { startsAt, endsAt, capacity: of, remaining: booked > of ? 0 : of - booked, sessionId: id }
        })
        expect(toSessionSlots(facts, sessions)).toEqual(expected)
        expect(toSessionSlots({ ...facts, offering: { ...facts.offering, active: false } }, sessions)).toEqual([])
      }),
      { numRuns: 500 }
    )
  })

  it("can be booked up to the last seat", () => {
    const counts = { booked: 0, refused: 0 }
    FastCheck.assert(
      FastCheck.property(sessions, ({ facts, sessions }) => {
        const slots = new Map(toSessionSlots(facts, sessions).map((slot) => [slot.sessionId, slot]))
        for (const { booked, session } of sessions) {
          const slot = slots.get(session.id)
          const ask = (quantity: number) => book(facts, { session, booked }, session, { quantity })
          if (slot === undefined) {
            const code = session.status === "cancelled" ? "session_cancelled" : "slot_unavailable"
            expect(ask(1)).toBe(code)
            expect(Either.isLeft(resolveSession(facts, session))).toBe(true)
            counts.refused++
          } else {
            const place = `${slot.startsAt} to ${slot.endsAt}`
            if (slot.remaining > 0) expect(ask(slot.remaining)).toBe(place)
            expect(ask(slot.remaining + 1)).toBe("slot_full")
            counts.booked++
          }
        }
      }),
      { numRuns: 300 }
    )
    expect(Math.min(counts.booked, counts.refused)).toBeGreaterThan(100)
  })
})
