import {
  bookingsList,
  type BookingView,
  dashboardDeparture,
  dashboardDepartures,
  type DepartureView
} from "@trailbook/core/booking"
import { isMoneyWithheld } from "@trailbook/core/payment"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import type { OperationCaller } from "../../operationCaller.ts"
import { PhoneLink } from "../../ui/TripInfo.tsx"
import { formatPaymentState, formatQuantity, getGuestName, isLiveBooking, StatusTag } from "../bookings/bookingText.tsx"
import { streamCsv } from "../kit/csv.ts"
import { Button, EmptyNote, Link, Pager, Table } from "../kit/elements.tsx"
import { page, type PageContext, usePage } from "../kit/page.tsx"
import { toDaySpan } from "../parts/dateTimes.ts"
import { formatOccupancy } from "./departureParts.tsx"

/** A guest list. In print, each row has a check box. */
export const Manifest = ({ bookings, isCut, label }: {
  readonly label: string
  readonly bookings: ReadonlyArray<BookingView>
  /** Whether the list is incomplete. */
  readonly isCut: boolean
}) => {
  const { format, now } = usePage()
  if (bookings.length === 0) return <EmptyNote>No bookings yet.</EmptyNote>
  return (
    <>
      <Table
        label={`${label}, as a table`}
        kind="stacked manifest"
        heads={[
          ["tick-box", <span class="sr">Arrived</span>],
          "Guest",
          "Party",
          "Phone",
          "Notes",
          "Payment",
          "Reference"
        ]}
      >
        {bookings.map((booking) => (
          <tr key={booking.id}>
            <td class="tick-box">☐</td>
            <td class="named">
              <Link to={`/bookings/${booking.id}`} dir="auto">
                <b>{getGuestName(booking.customer)}</b>
              </Link>
              {(booking.status !== "confirmed" || isMoneyWithheld(booking.dispute)) && (
                <StatusTag booking={booking} now={now} />
              )}
            </td>
            <td class="num">{formatQuantity(format, booking.offering.kind, booking.quantity)}</td>
            <td class="num">
              {booking.customer.phone !== "" && <PhoneLink phone={booking.customer.phone} />}
            </td>
            <td class="noted words" dir="auto">{booking.notes}</td>
            <td class="num">{formatPaymentState(format, booking)}</td>
            <td>
              <code>{booking.reference}</code>
            </td>
          </tr>
        ))}
      </Table>
      {isCut && <IncompleteListNote of={bookings} />}
    </>
  )
}

/** A hint that a list is incomplete. */
export const IncompleteListNote = ({ of }: { readonly of: ReadonlyArray<BookingView> }) => (
  <p class="note">{`The first ${of.length} bookings are shown. See Bookings for the rest.`}</p>
)

/** A hint about printing, which is shown only on screen. */
const PrintHint = () => (
  <p class="soft small on-screen">
    Print this page (<kbd>Ctrl</kbd> <kbd>P</kbd>, or <kbd>⌘</kbd>{" "}
    <kbd>P</kbd>). The menu and this line are not printed.
  </p>
)

/** The maximum number of bookings to load per departure. */
const maxGuests = 500

const listGuests = (
  run: OperationCaller,
  { offering, session_id: sessionId, starts_at: startsAt }: DepartureView,
  now: string,
  cursor?: string
) =>
  Effect.map(
    run(bookingsList, {
      limit: maxGuests,
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
export const loadDepartureGuests = (run: OperationCaller, departure: DepartureView, now: string) =>
  Effect.map(
    listGuests(run, departure, now),
    ({ data: live, gone, next_cursor }) => ({ live, gone, isCut: next_cursor !== undefined })
  )

/** Streams a departure's manifest as CSV. Each chunk of 500 bookings is sorted by name. */
const streamManifest = ({ format, id, now, run }: PageContext) =>
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

/** The printable manifest for one departure. */
export const manifestPage = page("/departures/:id/manifest", {
  file: streamManifest,
  *view({ format, id, now, run }) {
    const departure = yield* run(dashboardDeparture, { id })
    const { isCut, live } = yield* loadDepartureGuests(run, departure, now)
    return {
      title: departure.offering.name,
      lead: `${format.timeRange(departure)} ${format.zone(departure.ends_at)} · ${formatOccupancy(format, departure)}`,
      actions: (
        <>
          <Button icon="download" to={`/departures/${departure.id}/manifest.csv`}>Download CSV</Button>
          <Button to={`/departures/${departure.id}`}>Back to the departure</Button>
        </>
      ),
      body: (
        <div class="stack">
          <PrintHint />
          {departure.notes !== "" && <p class="note words" dir="auto">{departure.notes}</p>}
          <section class="card" aria-label="Manifest">
            <Manifest label="Manifest" bookings={live} isCut={isCut} />
          </section>
        </div>
      )
    }
  }
})

/** The page size. Each departure's guests are read separately. */
const perPage = 20

/** Printable manifests for all of a day's departures. */
export const dayManifestPage = page("/manifest", {
  *view({ clock: { today, zone }, format, now, org, query, run, site }) {
    const day = LocalDate.parse(query("date") ?? "") ?? today
    const at = Number(/^[1-9]\d?$/.exec(query("page") ?? "")?.[0] ?? "1")
    const { data, departures } = yield* run(dashboardDepartures, {
      ...toDaySpan(zone, day, 1),
      skip: Math.min(1000, (at - 1) * perPage),
      limit: perPage
    })
    const date = LocalDate.format(day)
    const link = (page: number) => site.link(`/dashboard/manifest?date=${date}&page=${page}`)
    const bookedDepartures = data.filter(({ quantity }) => quantity > 0)
    const manifests = yield* Effect.forEach(
      bookedDepartures,
      (departure) => Effect.map(loadDepartureGuests(run, departure, now), (guests) => ({ departure, ...guests }))
    )
    return {
      title: `Manifest for ${format.date(date)}`,
      lead: org.name,
      actions: <Button to={`/calendar?day=${date}`}>Calendar</Button>,
      body: (
        <div class="stack">
          <PrintHint />
          {manifests.length === 0 && (
            <section class="card" aria-label="Manifest">
              <EmptyNote>No guests are booked on this day.</EmptyNote>
            </section>
          )}
          {manifests.map(({ departure, isCut, live }) => (
            <section class="card" key={departure.id} aria-labelledby={`d-${departure.id}`}>
              <header>
                <h2 id={`d-${departure.id}`} dir="auto">{departure.offering.name}</h2>
                <span class="soft">{`${format.timeRange(departure)} · ${formatOccupancy(format, departure)}`}</span>
              </header>
              {departure.notes !== "" && <p class="pad words" dir="auto">{departure.notes}</p>}
              <Manifest label={departure.offering.name} bookings={live} isCut={isCut} />
            </section>
          ))}
          <Pager
            label="Pages"
            only="on-screen"
            back={at > 1 && ["Earlier departures", link(at - 1)]}
            more={at * perPage < departures && ["Later departures", link(at + 1)]}
          />
        </div>
      )
    }
  }
})
