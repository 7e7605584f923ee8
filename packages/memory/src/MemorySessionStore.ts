import { isLive } from "@trailbook/core/booking/Booking"
import { notBefore } from "@trailbook/core/capacity/judged"
import { type Seats, type SeatsQuery, SessionStore } from "@trailbook/core/session/SessionStore"
import type { Instant } from "@trailbook/core/time/Instant"
import { firstOf } from "./firstOf.ts"
import { laterEnd } from "./laterEnd.ts"
import { over } from "./MemoryDatabase.ts"
import { boundsOf } from "./startBounds.ts"
import * as Table from "./Table.ts"
import { found, referred, type Tables, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer = over(SessionStore, ({ read, write }) => ({
  list: (query) =>
    read((tables) =>
      firstOf(
        Table.range(tables.sessions, "start", query.orgId, boundsOf({ ...query, order: "asc" })),
        query.limit,
        ({ offeringId, status }) =>
          (query.offeringId === undefined || offeringId === query.offeringId) &&
          (query.status === undefined || status === query.status)
      ).map((session) => {
        const { id, orgId } = session
        return { session, booked: seatsIn(tables, { orgId, id, now: notBefore(query.now, session) }).booked }
      })
    ),
  find: (keys) => read(({ sessions }) => found(sessions, keys)),
  lock: (keys) => read(({ sessions }) => found(sessions, keys)),
  lockComing: ({ id, orgId }, now) =>
    read(({ sessions }) =>
      [...Table.range(sessions, "inOffering", within(orgId, id), { above: { at: now + 1, id: "" } })]
        .filter(({ status }) => status === "scheduled")
        .sort((a, b) => a.id < b.id ? -1 : 1)
    ),
  booked: (queries) => read((tables) => queries.map((query) => seatsIn(tables, query))),
  put: (rows) =>
    write((tables) => {
      for (const { offeringId, orgId } of rows) referred(tables.offerings, within(orgId, offeringId))
      return { ...tables, sessions: rows.reduce(Table.put, tables.sessions) }
    })
}))

const seatsIn = ({ bookings }: Tables, { except, id, now, orgId }: SeatsQuery): Seats => {
  let booked = 0
  let lapsedAt: Instant | null = null
  for (const booking of Table.range(bookings, "inSession", within(orgId, id))) {
    if (booking.id === except) continue
    if (isLive(booking, now)) booked += booking.quantity
    else lapsedAt = laterEnd(lapsedAt, booking)
  }
  return { booked, lapsedAt }
}
