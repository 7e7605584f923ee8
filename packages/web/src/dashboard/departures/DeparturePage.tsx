/** A departure with its occupancy and guests, and the page to edit it. */
import { invalid } from "@trailbook/core"
import { dashboardDeparture, dashboardUnreached } from "@trailbook/core/booking"
import { sessionsUpdate } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { href } from "../../ui/href.ts"
import { ArrivalList, ArrivedCount, isCheckInOpen } from "../bookings/attendance.tsx"
import { BookingsTable } from "../bookings/BookingsPage.tsx"
import { Button, Card, Field, Link, StatTile } from "../kit/elements.tsx"
import { formPage } from "../kit/operationForm.tsx"
import { page, type PageContext, redirectTo } from "../kit/page.tsx"
import { loadSession } from "../offerings/SessionsPage.tsx"
import { parseDateTimeLocal, toDateTimeLocal } from "../parts/dateTimes.ts"
import { OccupancyBar, UnreachedGuests } from "./departureParts.tsx"
import { IncompleteListNote, loadDepartureGuests, Manifest } from "./manifests.tsx"
import { canAddWalkIns } from "./WalkInPage.tsx"

/** A departure with its occupancy and guests. */
export const departurePage = page("/departures/:id", {
  *view(context) {
    const { clock, format, now, org, run } = context
    const departure = yield* run(dashboardDeparture, { id: context.id })
    const { gone, isCut, live } = yield* loadDepartureGuests(run, departure, now)
    const { data: unreached } = yield* run(dashboardUnreached, {
      session_ids: departure.session_id === null ? [] : [departure.session_id],
      booking_ids: departure.session_id === null ? [...live, ...gone].map((booking) => booking.id) : []
    })
    const { ends_at, id, notes, offering, quantity, session_id, starts_at, status } = departure
    const date = format.localDate(starts_at)
    const isArriving = live.length > 0 && isCheckInOpen(departure, now, org.timezone)
    const isUpcoming = starts_at > now && status === "scheduled"
    return {
      title: offering.name,
      lead: `${format.timeRange(departure)} ${format.zone(ends_at)}`,
      actions: (
        <>
          <Button icon="printer" to={`/departures/${id}/manifest`}>Print manifest</Button>
          {isUpcoming && (
            <Button
              icon="plus"
              href={href(context, "/dashboard/bookings/new", { offering: offering.id, date, from: date })}
            >
              Add booking
            </Button>
          )}
          {canAddWalkIns(departure, clock) && <Button icon="plus" to={`/departures/${id}/walk-in`}>Walk-in</Button>}
          {isUpcoming && live.length > 0 && session_id !== null && (
            <Button icon="send" to={`/broadcast?session=${session_id}`}>Message all guests</Button>
          )}
          {session_id !== null && status === "scheduled" && (
            <Button to={`/departures/${session_id}/edit`}>Edit departure</Button>
          )}
          <Button to={`/offerings/${offering.id}`}>Activity</Button>
        </>
      ),
      body: (
        <div class="stack">
          {status === "cancelled" && (
            <p class="note wrong">
              {unreached.length > 0
                ? "This departure is canceled. Some guests were not notified."
                : gone.length === 0
                ? "This departure is canceled. It had no bookings."
                : "This departure is canceled. Its guests are notified by email."}
            </p>
          )}
          {unreached.length > 0 && <UnreachedGuests guests={unreached} hasTrip={false} />}
          {notes !== "" && <p class="note words" dir="auto">{notes}</p>}
          <dl class="tiles">
            {isArriving && (
              <StatTile name="Arrived">
                <ArrivedCount bookings={live} />
              </StatTile>
            )}
            <StatTile name={capacityLabels[offering.kind]}>
              <OccupancyBar format={format} departure={departure} />
            </StatTile>
            {!isArriving && (
              <>
                <StatTile name={offering.kind === "rental" ? "Items" : "Guests"}>{format.number(quantity)}</StatTile>
                <StatTile name="Bookings">{format.number(live.length)}</StatTile>
              </>
            )}
          </dl>
          <Card id="guests" title="Guests">
            {isArriving
              ? (
                <>
                  <ArrivalList bookings={live} departure={id} />
                  {isCut && <IncompleteListNote of={live} />}
                </>
              )
              : <Manifest label="Guests" bookings={live} isCut={isCut} />}
          </Card>
          {gone.length > 0 && (
            <Card id="gone" title="Canceled bookings">
              <BookingsTable bookings={gone} label="Canceled bookings" />
            </Card>
          )}
        </div>
      )
    }
  }
})

const capacityLabels = { class: "Seats booked", appointment: "Parties booked", rental: "Items booked" } as const

/** Changes the seats, start time, and staff notes for a class departure. */
export const editDeparturePage = formPage("/departures/:id/edit", sessionsUpdate, {
  fields: {
    capacity: { label: "Seats", optional: "leave empty to use the activity's default" },
    starts_at: { label: "Start", isOwn: true },
    notes: {
      label: "Staff notes",
      rows: 4,
      hint: "For example, which guides, boats, and vans to use. Guests never see staff notes."
    }
  },
  *view(context) {
    const { format, org } = context
    const { offering, session } = yield* loadDepartureSession(context)
    const { booked, capacity, notes, starts_at } = session
    return {
      title: "Edit departure",
      lead: <span dir="auto">{`${offering.name}, ${format.moment(starts_at)}`}</span>,
      values: { capacity, notes },
      own: { starts_at: toDateTimeLocal(starts_at, org.timezone) },
      button: "Save",
      back: `/departures/${session.id}`,
      backLabel: "Cancel",
      children: (fields, { error, typedValues }) => (
        <>
          {booked === 0
            ? (
              <Field
                name="starts_at"
                label="Start"
                value={typedValues["starts_at"]}
                error={error("starts_at")}
                input={{ type: "datetime-local" }}
              />
            )
            : (
              <p class="note">
                {`${booked} ${booked === 1 ? "seat is" : "seats are"} booked, so the start time cannot be changed. `}
                <Link to={`/departures/${session.id}`}>Move these bookings first</Link>.
              </p>
            )}
          {fields("capacity")}
          <p class="soft small">Reducing the number of seats does not cancel bookings.</p>
          {fields("notes")}
        </>
      )
    }
  },
  *submit(context, input) {
    const { form, org, run } = context
    const { session: { id, starts_at: currentStart } } = yield* loadDepartureSession(context)
    const { starts_at: startText = "" } = form
    // Do not send an unchanged start time, so that the form also works for a departure with bookings.
    const startUpdate = startText === "" || startText === toDateTimeLocal(currentStart, org.timezone)
      ? {}
      : { starts_at: Instant.format(yield* parseDateTimeLocal("starts_at", startText, org.timezone)) }
    yield* run(sessionsUpdate, { ...input, id, ...startUpdate })
    return redirectTo(`/departures/${id}`, "saved")
  }
})

const loadDepartureSession = ({ id, run }: PageContext) =>
  Effect.gen(function*() {
    const { offering, session_id: sessionId, starts_at: at } = yield* run(dashboardDeparture, { id })
    if (sessionId === null) {
      return yield* invalid("Only scheduled departures can be edited. Change the bookings instead.")
    }
    return { offering, session: yield* loadSession(run, { id: sessionId, offering_id: offering.id, at }) }
  })
