import { isLive } from "@trailbook/core/booking/Booking"
import { decisionTime } from "@trailbook/core/capacity/placeClock"
import { type Seats, type SeatsQuery, SessionStore } from "@trailbook/core/session/SessionStore"
import type { Instant } from "@trailbook/core/time/Instant"
import { maxHoldEnd } from "./maxHoldEnd.ts"
import { storeLayer } from "./MemoryDatabase.ts"
import { startBounds } from "./startBounds.ts"
import * as Table from "./Table.ts"
import { findRows, orgKey, requireRow, type Tables } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(SessionStore, ({ read, write }) => ({
  list: (query) =>
    read((tables) =>
      takeFirst(
        Table.range(tables.sessions, "start", query.orgId, startBounds({ ...query, order: "asc" })),
        query.limit,
        ({ offeringId, status }) =>
          (query.offeringId === undefined || offeringId === query.offeringId) &&
          (query.status === undefined || status === query.status)
      ).map((session) => {
        const { id, orgId } = session
        return { session, booked: seatsIn(tables, { orgId, id, now: decisionTime(query.now, session) }).booked }
      })
    ),
  find: (keys) => read(({ sessions }) => findRows(sessions, keys)),
  lock: (keys) => read(({ sessions }) => findRows(sessions, keys)),
  lockComing: ({ id, orgId }, now) =>
    read(({ sessions }) =>
      [...Table.range(sessions, "inOffering", orgKey(orgId, id), { above: { at: now + 1, id: "" } })]
        .filter(({ status }) => status === "scheduled")
        .sort((a, b) => a.id < b.id ? -1 : 1)
    ),
  booked: (queries) => read((tables) => queries.map((query) => seatsIn(tables, query))),
  put: (rows) =>
    write((tables) => {
      for (const { offeringId, orgId } of rows) requireRow(tables.offerings, orgKey(orgId, offeringId))
      return { ...tables, sessions: rows.reduce(Table.put, tables.sessions) }
    })
}))

const seatsIn = ({ bookings }: Tables, { except, id, now, orgId }: SeatsQuery): Seats => {
  let booked = 0
  let lapsedAt: Instant | null = null
  for (const booking of Table.range(bookings, "inSession", orgKey(orgId, id))) {
    if (booking.id === except) continue
    if (isLive(booking, now)) booked += booking.quantity
    else lapsedAt = maxHoldEnd(lapsedAt, booking)
  }
  return { booked, lapsedAt }
}
