import { dashboardDeparture, dashboardUnreached } from "@trailbook/core/booking"
import * as Effect from "effect/Effect"
import { href } from "../../ui/href.ts"
import { ArrivalList, ArrivedCount, isCheckInOpen } from "../bookings/attendance.tsx"
import { BookingsTable } from "../bookings/bookings.tsx"
import { formatTimeRange } from "../bookings/bookingText.tsx"
import { Button, Card, StatTile } from "../kit/elements.tsx"
import type { PageHandler } from "../Page.ts"
import { loadDepartureGuests } from "./departureGuests.ts"
import { OccupancyBar } from "./DepartureRow.tsx"
import { IncompleteListNote, Manifest } from "./manifests.tsx"
import { UnreachedGuests } from "./UnreachedGuests.tsx"
import { canAddWalkIns } from "./WalkInPage.tsx"

/** A departure with its occupancy and guests. */
export const view: PageHandler = (context) =>
  Effect.gen(function*() {
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
      section: "calendar",
      lead: `${formatTimeRange(format, departure)} ${format.zone(ends_at)}`,
      actions: (
        <>
          <Button icon="printer" to={`/departures/${id}/manifest`}>
            Print manifest
          </Button>
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
            <Button icon="send" to={`/broadcast?session=${session_id}`}>
              Message all guests
            </Button>
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
  })

const capacityLabels = { class: "Seats booked", appointment: "Parties booked", rental: "Items booked" } as const
