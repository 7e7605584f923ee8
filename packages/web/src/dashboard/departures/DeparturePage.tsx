import { dashboardDeparture, dashboardUnreached } from "@trailbook/core/operation/departureOperations"
import * as Effect from "effect/Effect"
import { href } from "../../ui/href.ts"
import { Listed } from "../bookings/BookingsPage.tsx"
import { whenOf } from "../bookings/facts.tsx"
import { Card } from "../parts/Card.tsx"
import { IconLink } from "../parts/Icon.tsx"
import { Tile } from "../parts/Tile.tsx"
import type { View } from "../View.ts"
import { Booked } from "./DepartureRow.tsx"
import { guestsOf } from "./guests.ts"
import { Manifest } from "./Manifest.tsx"
import { Unreached } from "./Unreached.tsx"

/**
 * One departure: how full it is, and who comes.
 *
 * @category views
 */
export const view: View = ({ clock: { stamp: now }, param, run, shown }) =>
  Effect.gen(function*() {
    const departure = yield* run(dashboardDeparture, { id: param("id") })
    const { gone, isCut, live } = yield* guestsOf(run, departure, now)
    const { data: unreached } = yield* run(dashboardUnreached, {
      session_ids: departure.session_id === null ? [] : [departure.session_id],
      booking_ids: departure.session_id === null ? [...live, ...gone].map((booking) => booking.id) : []
    })
    const { format, site } = shown
    const { ends_at, id, offering, quantity, session_id, starts_at, status } = departure
    const date = format.localDate(starts_at)
    const isComing = starts_at > now && status === "scheduled"
    return {
      title: offering.name,
      part: "calendar",
      lead: `${whenOf(format, departure)} ${format.zone(ends_at)}`,
      actions: (
        <>
          <IconLink site={site} icon="printer" href={site.link(`/dashboard/departures/${id}/manifest`)}>
            Manifest to print
          </IconLink>
          {isComing && (
            <IconLink
              site={site}
              icon="plus"
              href={href(shown, "/dashboard/bookings/new", { offering: offering.id, date, from: date })}
            >
              Book for this day
            </IconLink>
          )}
          {isComing && live.length > 0 && session_id !== null && (
            <IconLink site={site} icon="send" href={site.link(`/dashboard/broadcast?session=${session_id}`)}>
              Write to all
            </IconLink>
          )}
          <a class="btn" href={site.link(`/dashboard/offerings/${offering.id}`)}>Offering</a>
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
                : "This departure is canceled. Guests were notified."}
            </p>
          )}
          {unreached.length > 0 && <Unreached shown={shown} guests={unreached} hasTrip={false} />}
          <dl class="tiles">
            <Tile name={places[offering.kind]}>
              <Booked shown={shown} departure={departure} />
            </Tile>
            <Tile name={offering.kind === "rental" ? "Items" : "Guests"}>{format.number(quantity)}</Tile>
            <Tile name="Bookings">{format.number(live.length)}</Tile>
          </dl>
          <Card id="guests" title="Who comes">
            <Manifest shown={shown} label="Who comes" now={now} bookings={live} isCut={isCut} />
          </Card>
          {gone.length > 0 && (
            <Card id="gone" title="No longer booked">
              <Listed shown={shown} now={now} bookings={gone} label="No longer booked" />
            </Card>
          )}
        </div>
      )
    }
  })

const places = { class: "Seats booked", appointment: "Parties booked", rental: "Items booked" } as const
