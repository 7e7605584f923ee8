import { isLive } from "@trailbook/core/booking"
import { getDecisionTime } from "@trailbook/core/capacity"
import type { BookedSeats, BookedSeatsQuery, SessionStore } from "@trailbook/core/session"
import type { Journal } from "../Journal.ts"
import { lastEnd } from "../lastEnd.ts"
import { byId, byStart, page, starts } from "../page.ts"
import { within } from "../Rows.ts"
import { findRows, inGroup, type State } from "../State.ts"

export const sessionStore = ({ read, write }: Journal): SessionStore["Type"] => ({
  list: ({ now, offeringId, orgId, status, ...query }) =>
    read((state) => {
      const rows = inGroup(state.sessions, `org ${orgId}`).filter(starts(query)).filter((row) =>
        (offeringId === undefined || row.offeringId === offeringId) && (status === undefined || row.status === status)
      )
      return page(rows, byStart, query).map((session) => {
        const { id, orgId } = session
        return { session, booked: seatsIn(state, { id, orgId, now: getDecisionTime(now, session) }).booked }
      })
    }),
  find: (keys) => read(({ sessions }) => findRows(sessions, keys)),
  lock: (keys) => read(({ sessions }) => findRows(sessions, keys)),
  lockUpcoming: ({ id, orgId }, now) =>
    read(({ sessions }) =>
      byId(
        inGroup(sessions, `offering ${within(orgId, id)}`)
          .filter(({ startsAt, status }) => status === "scheduled" && startsAt > now)
      )
    ),
  countBookedSeats: (queries) => read((state) => queries.map((query) => seatsIn(state, query))),
  put: (rows) => write(() => rows.map((row) => ({ table: "sessions", row })))
})

const seatsIn = ({ bookings }: State, { except, id, now, orgId }: BookedSeatsQuery): BookedSeats => {
  const inside = inGroup(bookings, `session ${within(orgId, id)}`).filter((booking) => booking.id !== except)
  const live = inside.filter((booking) => isLive(booking, now))
  return { booked: live.reduce((seats, { quantity }) => seats + quantity, 0), lapsedAt: lastEnd(inside, now) }
}
