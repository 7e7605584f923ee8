import { bookingsList, type BookingView, dashboardDeparture, type DepartureView } from "@trailbook/core/booking"
import * as Effect from "effect/Effect"
import type { RunOperation } from "../../runOperation.ts"
import { formatPaymentState, getGuestName, isLiveBooking } from "../bookings/bookingText.tsx"
import { streamCsv } from "../kit/csv.ts"
import type { PageContext } from "../Page.ts"

/** The maximum number of bookings to load per departure. */
const most = 500

const listGuests = (
  run: RunOperation,
  { offering, session_id: sessionId, starts_at: startsAt }: DepartureView,
  now: string,
  cursor?: string
) =>
  Effect.map(
    run(bookingsList, {
      limit: most,
      cursor,
      ...(sessionId === null
        ? { offering_id: offering.id, from: startsAt, to: new Date(Date.parse(startsAt) + 1).toISOString() }
        : { session_id: sessionId })
    }),
    ({ data, ...page }) => {
      const isLive = (booking: BookingView) => isLiveBooking(booking, now)
      return {
        ...page,
        data: data.filter(isLive).toSorted(byName),
        gone: data.filter((booking) => !isLive(booking)).toSorted(byName)
      }
    }
  )

/** Loads a departure's bookings, sorted by name. `gone` contains canceled bookings and expired holds. */
export const loadDepartureGuests = (run: RunOperation, departure: DepartureView, now: string) =>
  Effect.map(
    listGuests(run, departure, now),
    ({ data: live, gone, next_cursor }) => ({ live, gone, isCut: next_cursor !== undefined })
  )

/** Streams a departure's manifest as CSV. Each chunk of 500 bookings is sorted by name. */
export const streamManifest = ({ format, id, now, run }: PageContext) =>
  Effect.flatMap(run(dashboardDeparture, { id }), (departure) =>
    streamCsv<BookingView>(
      {
        Guest: ({ customer }) => customer.name,
        Party: ({ quantity }) => quantity,
        Arrived: ({ attendance }) => attendance === null ? null : attendance.arrived,
        Attendance: ({ attendance }) => attendance === null ? "" : attendanceTexts[attendance.status],
        Phone: ({ customer }) => customer.phone,
        Email: ({ customer }) => customer.email,
        Notes: ({ notes }) => notes,
        Payment: (booking) => formatPaymentState(format, booking),
        Reference: ({ reference }) => reference
      },
      (cursor) => listGuests(run, departure, now, cursor)
    ))

const attendanceTexts = { checked_in: "Checked in", no_show: "No-show" } as const

const names = new Intl.Collator("en")

const byName = (a: BookingView, b: BookingView): number =>
  names.compare(getGuestName(a.customer), getGuestName(b.customer))
