import { isDiscountUse, isLive } from "@trailbook/core/booking"
import { type DiscountCode, toClosurePosition } from "@trailbook/core/offering"
import * as Offering from "@trailbook/core/offering/Offering"
import { makePriceTerms, maxTotalCents } from "@trailbook/core/pricing"
import { type BookedSeats, type BookedSeatsQuery, type Session, sessionStatuses } from "@trailbook/core/session"
import type { Instant } from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { edgeMoment, makeOptionalFilter, moment, origin, resolveEdgeMoment } from "../../generator/moment.ts"
import { closure, discountCode, offering, session } from "../../generator/offering.ts"
import { type OrgData, orgData } from "../../generator/orgData.ts"
import { makeLawsWithStoredData } from "../Law.ts"
import {
  incrementCreatedAt,
  isSameRow,
  makeLock,
  makeRemoval,
  readByKey,
  readByKeys,
  readPages,
  toOrgKey
} from "../row/Entity.ts"
import { makeRowLaws } from "../row/makeRowLaws.ts"
import {
  assertFindsNothing,
  assertSameRows,
  compareById,
  compareByStart,
  readAllPages,
  sortOldestFirst,
  toCreationPosition
} from "../rowAssertions.ts"
import { createEmptyOrg, newId, seedOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { hourMs } from "../task/tasks.ts"

const listOfferings = (kind?: Offering.OfferingKind) =>
  readPages<Offering.Offering>(
    (query) => Store.offerings.list({ ...query, kind }),
    sortOldestFirst,
    toCreationPosition,
    (row) => row.deletedAt === null && (kind ?? row.kind) === row.kind
  )

export const offeringLaws = makeRowLaws<Offering.Offering>({
  key: "offerings",
  name: "an offering",
  row: offering,
  put: Store.offerings.put,
  reads: {
    find: readByKeys(Store.offerings.find, toOrgKey),
    list: listOfferings(),
    "list of one kind": {
      check: (contents, name) =>
        Effect.forEach(Offering.offeringKinds, (kind) => listOfferings(kind).check(contents, name), { discard: true })
    }
  },
  locks: { lock: makeLock("locks/offering", readByKeys(Store.offerings.lock, toOrgKey), incrementCreatedAt) }
})

const unlimited = { limit: 1000 }

/** Counts occupied seats, one booking at a time. */
const countSeats = ({ bookings }: OrgData, { except, id, now }: Omit<BookedSeatsQuery, "orgId">): BookedSeats => {
  let bookedSeats = 0
  const ends: Array<Instant> = []
  for (const booking of bookings) {
    if (booking.sessionId !== id || booking.id === except) continue
    if (isLive(booking, now)) bookedSeats += booking.quantity
    else if (booking.status === "held") ends.push(booking.expiresAt)
  }
  return { booked: bookedSeats, lapsedAt: ends.toSorted((a, b) => b - a)[0] ?? null }
}

const filters = FastCheck.record({
  offering: makeOptionalFilter(FastCheck.nat({ max: 2 })),
  first: makeOptionalFilter(edgeMoment),
  last: makeOptionalFilter(edgeMoment),
  status: makeOptionalFilter(FastCheck.constantFrom(...sessionStatuses)),
  now: moment
})

const seededOrgLaw = makeLawsWithStoredData(seedOrg)

export const sessionLaws = [
  ...makeRowLaws<Session>({
    key: "sessions",
    name: "a session",
    row: session,
    seedReferences: (orgId, offeringId) => {
      const offering = Offering.make({ id: offeringId, orgId, kind: "class", name: "Rafting", createdAt: origin })
      return Effect.as(Store.offerings.put([offering]), { offeringId })
    },
    fixedFields: ({ offeringId }) => ({ offeringId }),
    put: Store.sessions.put,
    reads: { find: readByKeys(Store.sessions.find, toOrgKey) },
    locks: { lock: makeLock("locks/session", readByKeys(Store.sessions.lock, toOrgKey), incrementCreatedAt) },
    references: ["orgId", "offeringId"]
  }),

  seededOrgLaw(
    "sessions/list",
    "lists sessions that start in [from, to), filtered by offering and status, with the seats booked at a given time",
    FastCheck.tuple(orgData(10), filters),
    function*(seededOrg, { first, last, now, offering, status }) {
      const offeringId = offering === undefined ? undefined : seededOrg.offerings[offering]?.id
      const starts = seededOrg.sessions.map(({ startsAt }) => startsAt)
      const [from, to] = [resolveEdgeMoment(first, starts), resolveEdgeMoment(last, starts)]
      const expected = seededOrg.sessions.filter((session) =>
        session.startsAt >= (from ?? -Infinity) && session.startsAt < (to ?? Infinity) &&
        (offeringId === undefined || session.offeringId === offeringId) &&
        (status === undefined || session.status === status)
      )
      assert.deepStrictEqual(
        yield* Store.sessions.list({ ...unlimited, from, to, status, offeringId, orgId: seededOrg.orgId, now }),
        expected.toSorted(compareByStart).map((session) => {
          const latest = session.judgedAt > now ? session.judgedAt : now
          return { session, booked: countSeats(seededOrg, { id: session.id, now: latest }).booked }
        })
      )
    }
  ),

  seededOrgLaw(
    "sessions/pages",
    "returns every session in the list exactly once for any page size",
    FastCheck.tuple(orgData(0), FastCheck.integer({ min: 1, max: 9 }), moment),
    function*({ orgId, sessions }, limit, now) {
      const pages = yield* readAllPages(
        limit,
        (after) => Store.sessions.list({ ...unlimited, orgId, now, after, limit }),
        ({ session: { id, startsAt: at } }) => ({ at, id })
      )
      assert.deepStrictEqual(pages.map(({ session }) => session), sessions.toSorted(compareByStart))
    }
  ),

  seededOrgLaw(
    "sessions/lock-coming",
    "locks an offering's scheduled sessions that start after now, in ID order",
    FastCheck.tuple(orgData(0), moment),
    function*({ offerings, orgId, sessions }, now) {
      for (const { id } of offerings) {
        const comingSessions = sessions.filter((session) =>
          session.offeringId === id && session.status === "scheduled" && session.startsAt > now
        )
        assert.deepStrictEqual(
          yield* Store.sessions.lockUpcoming({ orgId, id }, now),
          comingSessions.toSorted(compareById)
        )
      }
      assert.deepStrictEqual(
        yield* Store.sessions.lockUpcoming({ orgId: newId(), id: offerings[0]?.id ?? "" }, now),
        []
      )
    }
  ),

  seededOrgLaw(
    "sessions/booked",
    "counts the seats of confirmed bookings and live holds for each query in order, optionally excluding one booking",
    FastCheck.tuple(orgData(15), FastCheck.array(moment, { minLength: 1, maxLength: 4 })),
    function*(seededOrg, moments) {
      const { bookings, orgId, sessions } = seededOrg
      const keys: ReadonlyArray<Omit<BookedSeatsQuery, "now">> = [
        ...sessions.map(({ id }) => ({ orgId, id })),
        ...bookings.flatMap(({ id: except, sessionId: id }) => id === null ? [] : [{ orgId, id, except }]),
        { orgId, id: newId() }
      ]
      const queries = keys.map((key, at) => ({ ...key, now: moments[at % moments.length] ?? origin }))
      assert.deepStrictEqual(
        yield* Store.sessions.countBookedSeats(queries),
        queries.map((query) => countSeats(seededOrg, query))
      )
    }
  )
]

export const closureLaws = [
  seededOrgLaw(
    "closures/rows",
    "stores, replaces, and removes closures, and lists the requested orgs' closures by first date",
    FastCheck.tuple(
      orgData(0),
      FastCheck.uniqueArray(closure, { maxLength: 6, selector: ({ id }) => id }),
      FastCheck.integer({ min: -4, max: 7 })
    ),
    function*({ offerings, orgId, twinId }, closures, days) {
      const offeringId = offerings[0]?.id ?? null
      const rows = closures.map((row, at) => ({ ...row, orgId, offeringId: at === 0 ? offeringId : null }))
      for (const row of rows) yield* Store.closures.put(row)
      for (const row of rows) yield* Store.closures.put({ ...row, orgId: twinId, reason: "twin" })
      const { id: emptyId } = yield* createEmptyOrg
      const since = LocalDate.make(Math.floor(origin / (24 * hourMs)) + days)
      const expected = rows.filter(({ toDate }) => toDate >= since)
      assertSameRows(yield* Store.closures.since([orgId, emptyId], since), expected)
      assert.strictEqual((yield* Store.closures.since([orgId, twinId], since)).length, 2 * expected.length)
      assert.deepStrictEqual(yield* Store.closures.since([], since), [])
      const sortedRows = expected.toSorted((a, b) => a.fromDate - b.fromDate || (a.id < b.id ? -1 : 1))
      assert.deepStrictEqual(
        yield* readAllPages(2, (after) => Store.closures.list({ orgId, since, after, limit: 2 }), toClosurePosition),
        sortedRows
      )
      assert.strictEqual((yield* Store.closures.list({ orgId, limit: 100 })).length, rows.length)
      const [first] = rows
      if (first === undefined) return
      const changedClosure = { ...first, reason: "other" }
      yield* Store.closures.put(changedClosure)
      for (const result of [yield* Store.closures.find(first), yield* Store.run(Store.closures.lock(first))]) {
        assert.deepStrictEqual(Option.getOrNull(result), changedClosure)
      }
      yield* Store.closures.remove(first)
      yield* assertFindsNothing(Store.closures.find(first))
      yield* assertFindsNothing(Store.closures.find({ orgId, id: newId() }))
      assert.isTrue(Option.isSome(yield* Store.closures.find({ ...first, orgId: twinId })))
    }
  )
]

const toCodeKey = ({ code, orgId }: DiscountCode) => ({ orgId, code })

export const discountLaws = [
  ...makeRowLaws<DiscountCode>({
    key: "discounts",
    name: "a discount code",
    row: discountCode,
    put: Effect.forEach(Store.discounts.put),
    reads: {
      findByCode: readByKey(Store.discounts.findByCode, toCodeKey),
      list: readPages(Store.discounts.list, sortOldestFirst, toCreationPosition)
    },
    locks: {
      lock: makeLock("locks/discount", readByKey(Store.discounts.lock, toOrgKey), incrementCreatedAt),
      lockByCode: makeLock(
        "locks/discount-code",
        readByKeys(Store.discounts.lockByCode, toCodeKey),
        incrementCreatedAt,
        "its code"
      )
    },
    changes: { remove: makeRemoval("removes one discount code, and no others", Store.discounts.remove, isSameRow) },
    uniqueKeys: [{ name: "code", rejectedIn: "org", toFields: ({ code }) => ({ code }) }]
  }),

  seededOrgLaw(
    "discounts/uses",
    "counts a code's uses, including live holds and canceled bookings that still count, and sums confirmed revenue",
    FastCheck.tuple(
      orgData(9),
      FastCheck.uniqueArray(discountCode, {
        minLength: 2,
        maxLength: 2,
        comparator: (a, b) => a.id === b.id || a.code === b.code
      }),
      FastCheck.array(FastCheck.option(FastCheck.nat(1)), { minLength: 9, maxLength: 9 }),
      moment
    ),
    function*({ bookings, offerings, orgId, twinId }, codeRows, codeIndexes, now) {
      const discounts = codeRows.map((row) => ({ ...row, orgId }))
      for (const row of discounts) yield* Store.discounts.put(row)
      for (const row of discounts) yield* Store.discounts.put({ ...row, orgId: twinId })
      const pricedBookings = bookings.map((row, at) => {
        // No operation stores a larger total. The sum of larger totals would exceed the safe integer range.
        const booking = { ...row, totalCents: Math.min(row.totalCents, maxTotalCents) }
        const discount = discounts[codeIndexes[at] ?? -1]
        const [offering] = offerings
        if (discount === undefined || offering === undefined) return { ...booking, price: null }
        const terms = makePriceTerms(offering, [], { id: discount.id, code: discount.code, percent_bps: 0 })
        return { ...booking, price: { party: [], extras: [], lines: [], terms } }
      })
      yield* Store.bookings.put(pricedBookings)
      const org = yield* Effect.orDie(Effect.flatten(Store.orgs.find(orgId)))
      const expected = discounts.map(({ id, returnsOnCancel }) => {
        const codeBookings = pricedBookings.filter(({ price }) => price?.terms.discount?.id === id)
        const payingBookings = codeBookings.filter(({ currency, status }) =>
          status === "confirmed" && currency === org.currency
        )
        return {
          id,
          uses: codeBookings.filter((booking) => isDiscountUse(booking, returnsOnCancel, now)).length,
          revenueCents: payingBookings.reduce((sum, { totalCents }) => sum + totalCents, 0)
        }
      })
      assertSameRows(yield* Store.discounts.uses([...discounts, { orgId, id: newId() }], now), expected)
      const noUses = discounts.map(({ id }) => ({ id, uses: 0, revenueCents: 0 }))
      assertSameRows(yield* Store.discounts.uses(discounts.map((row) => ({ ...row, orgId: twinId })), now), noUses)
      assert.deepStrictEqual(yield* Store.discounts.uses([], now), [])
    }
  )
]
