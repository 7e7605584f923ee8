import { isLive } from "@trailbook/core/booking/Booking"
import { sessionStatuses } from "@trailbook/core/session/Session"
import type { Seats, SeatsQuery } from "@trailbook/core/session/SessionStore"
import type { Instant } from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { assert } from "vitest"
import { edge, edgeInstant, seldom } from "../generator/edge.ts"
import { moment, origin } from "../generator/moment.ts"
import { type OrgData, orgData } from "../generator/orgData.ts"
import { session } from "../generator/session.ts"
import { byId, byStart, sameRows } from "./compare.ts"
import { lawsAbout } from "./lawsAbout.ts"
import { readAllPages } from "./readAllPages.ts"
import { newId, seedOrg } from "./seedOrg.ts"
import * as Store from "./Store.ts"

const all = { limit: 1000 }

/** Counts occupied seats, one booking at a time. */
const seats = ({ bookings }: OrgData, { except, id, now }: Omit<SeatsQuery, "orgId">): Seats => {
  let booked = 0
  const ends: Array<Instant> = []
  for (const booking of bookings) {
    if (booking.sessionId !== id || booking.id === except) continue
    if (isLive(booking, now)) booked += booking.quantity
    else if (booking.status === "held") ends.push(booking.expiresAt)
  }
  return { booked, lapsedAt: ends.toSorted((a, b) => b - a)[0] ?? null }
}

const filters = FastCheck.record({
  offering: seldom(FastCheck.nat({ max: 2 })),
  first: seldom(edge),
  last: seldom(edge),
  status: seldom(FastCheck.constantFrom(...sessionStatuses)),
  now: moment
})

const inTown = lawsAbout(seedOrg)

export const sessionLaws = [
  inTown(
    "sessions/lock",
    "returns each complete session exactly once and only to its own org",
    FastCheck.tuple(orgData(0)),
    function*({ orgId, sessions }) {
      const keys = [...sessions, { orgId, id: newId() }, { orgId: newId(), id: sessions[0]?.id ?? newId() }]
      sameRows(yield* Store.sessions.find(keys.toReversed()), sessions)
      sameRows(yield* Store.sessions.lock(keys.toReversed()), sessions)
    }
  ),

  inTown(
    "sessions/put",
    "replaces a session when it is stored again",
    FastCheck.tuple(orgData(0), session),
    function*({ sessions: [first, ...others] }, changed) {
      if (first === undefined) return
      const after = { ...changed, id: first.id, orgId: first.orgId, offeringId: first.offeringId }
      yield* Store.sessions.put([after])
      sameRows(yield* Store.sessions.lock([first, ...others]), [after, ...others])
    }
  ),

  inTown(
    "sessions/list",
    "lists sessions with from <= start < to by offering and status, with the seats booked at a given time",
    FastCheck.tuple(orgData(10), filters),
    function*(settled, { first, last, now, offering, status }) {
      const offeringId = offering === undefined ? undefined : settled.offerings[offering]?.id
      const starts = settled.sessions.map(({ startsAt }) => startsAt)
      const [from, to] = [edgeInstant(first, starts), edgeInstant(last, starts)]
      const expected = settled.sessions.filter((session) =>
        session.startsAt >= (from ?? -Infinity) && session.startsAt < (to ?? Infinity) &&
        (offeringId === undefined || session.offeringId === offeringId) &&
        (status === undefined || session.status === status)
      )
      assert.deepStrictEqual(
        yield* Store.sessions.list({ ...all, from, to, status, offeringId, orgId: settled.orgId, now }),
        expected.toSorted(byStart).map((session) => {
          const latest = session.judgedAt > now ? session.judgedAt : now
          return { session, booked: seats(settled, { id: session.id, now: latest }).booked }
        })
      )
    }
  ),

  inTown(
    "sessions/pages",
    "returns every session of the list exactly once for any page size",
    FastCheck.tuple(orgData(0), FastCheck.integer({ min: 1, max: 9 }), moment),
    function*({ orgId, sessions }, limit, now) {
      const pages = yield* readAllPages(
        limit,
        (after) => Store.sessions.list({ ...all, orgId, now, after, limit }),
        ({ session: { id, startsAt: at } }) => ({ at, id })
      )
      assert.deepStrictEqual(pages.map(({ session }) => session), sessions.toSorted(byStart))
    }
  ),

  inTown(
    "sessions/lock-coming",
    "locks the scheduled sessions of an offering that start after now, in ID order",
    FastCheck.tuple(orgData(0), moment),
    function*({ offerings, orgId, sessions }, now) {
      for (const { id } of offerings) {
        const coming = sessions.filter((session) =>
          session.offeringId === id && session.status === "scheduled" && session.startsAt > now
        )
        assert.deepStrictEqual(yield* Store.sessions.lockComing({ orgId, id }, now), coming.toSorted(byId))
      }
      assert.deepStrictEqual(
        yield* Store.sessions.lockComing({ orgId: newId(), id: offerings[0]?.id ?? "" }, now),
        []
      )
    }
  ),

  inTown(
    "sessions/booked",
    "counts the seats of confirmed bookings and live holds for each query in order, optionally without one booking",
    FastCheck.tuple(orgData(15), FastCheck.array(moment, { minLength: 1, maxLength: 4 })),
    function*(settled, moments) {
      const { bookings, orgId, sessions } = settled
      const keys: ReadonlyArray<Omit<SeatsQuery, "now">> = [
        ...sessions.map(({ id }) => ({ orgId, id })),
        ...bookings.flatMap(({ id: except, sessionId: id }) => id === null ? [] : [{ orgId, id, except }]),
        { orgId, id: newId() }
      ]
      const queries = keys.map((key, at) => ({ ...key, now: moments[at % moments.length] ?? origin }))
      assert.deepStrictEqual(yield* Store.sessions.booked(queries), queries.map((query) => seats(settled, query)))
    }
  )
]
