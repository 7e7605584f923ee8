import { isLive } from "@trailbook/core/booking/Booking"
import type { Key } from "@trailbook/core/offering/OfferingStore"
import type { SessionStore } from "@trailbook/core/session/SessionStore"
import type { Instant } from "@trailbook/core/time/Instant"
import type { Journal } from "../Journal.ts"
import { byId, byStart, page, starts } from "../page.ts"
import { within } from "../Rows.ts"
import { found, inGroup, type State } from "../State.ts"

export const sessionStore = ({ read, write }: Journal): SessionStore["Type"] => ({
  list: ({ now, offeringId, orgId, status, ...asked }) =>
    read((state) => {
      const rows = inGroup(state.sessions, `org ${orgId}`).filter(starts(asked)).filter((row) =>
        (offeringId === undefined || row.offeringId === offeringId) && (status === undefined || row.status === status)
      )
      return page(rows, byStart, asked).map((session) => ({ session, booked: seatsIn(state, session, now) }))
    }),
  lock: (keys) => read(({ sessions }) => found(sessions, keys)),
  lockComing: ({ id, orgId }, now) =>
    read(({ sessions }) =>
      byId(
        inGroup(sessions, `offering ${within(orgId, id)}`)
          .filter(({ startsAt, status }) => status === "scheduled" && startsAt > now)
      )
    ),
  booked: (keys, now) => read((state) => keys.map((key) => seatsIn(state, key, now))),
  put: (rows) => write(() => rows.map((row) => ({ table: "sessions", row })))
})

const seatsIn = (
  { bookings }: State,
  { except, id, orgId }: Key & { readonly except?: string },
  now: Instant
): number =>
  inGroup(bookings, `session ${within(orgId, id)}`)
    .filter((booking) => booking.id !== except && isLive(booking, now))
    .reduce((seats, { quantity }) => seats + quantity, 0)
