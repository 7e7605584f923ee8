import { bookingsList } from "@trailbook/core/booking/bookingOperations"
import type { BookingView } from "@trailbook/core/booking/BookingView"
import type { DepartureView } from "@trailbook/core/booking/departureOperations"
import * as Effect from "effect/Effect"
import type { RunOperation } from "../../runOperation.ts"
import { isActive } from "../bookings/facts.tsx"

/** Maximum number of bookings loaded per departure. */
const most = 500

/** Loads the bookings of a departure, sorted by name. `gone` are canceled bookings and expired holds. */
export const loadDepartureGuests = (
  run: RunOperation,
  { offering, session_id: sessionId, starts_at: startsAt }: DepartureView,
  now: string
) =>
  Effect.map(
    run(bookingsList, {
      limit: most,
      ...(sessionId === null
        ? { offering_id: offering.id, from: startsAt, to: new Date(Date.parse(startsAt) + 1).toISOString() }
        : { session_id: sessionId })
    }),
    ({ data, next_cursor }) => {
      const isLive = (booking: BookingView) => isActive(booking, now)
      return {
        live: data.filter(isLive).toSorted(byName),
        gone: data.filter((booking) => !isLive(booking)).toSorted(byName),
        isCut: next_cursor !== undefined
      }
    }
  )

const names = new Intl.Collator("en")

const byName = (a: BookingView, b: BookingView): number =>
  names.compare(a.customer.name || a.customer.email, b.customer.name || b.customer.email)
