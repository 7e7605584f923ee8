import { dashboardDeparture } from "@trailbook/core/operation/departureOperations"
import * as Instant from "@trailbook/core/time/Instant"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import { href } from "../../ui/href.ts"
import { Listed } from "../bookings/BookingsPage.tsx"
import { whenOf } from "../bookings/facts.tsx"
import { Icon } from "../parts/Icon.tsx"
import type { View } from "../View.ts"
import { bookedOf } from "./DepartureRow.tsx"
import { guestsOf } from "./guests.ts"
import { Manifest } from "./Manifest.tsx"

/**
 * One departure: how full it is, and who comes.
 *
 * @category views
 */
export const view: View = ({ param, run, shown }) =>
  Effect.gen(function*() {
    const departure = yield* run(dashboardDeparture, { id: param("id") })
    const now = Instant.format(yield* moment)
    const { gone, isCut, live } = yield* guestsOf(run, departure, now)
    const { format, site } = shown
    const { booked, capacity, ends_at, id, offering, quantity, session_id, starts_at, status } = departure
    const isComing = starts_at > now && status === "scheduled"
    return {
      title: offering.name,
      part: "calendar",
      lead: `${whenOf(format, departure)} ${format.zone(ends_at)}`,
      actions: (
        <>
          <a class="btn" href={site.link(`/dashboard/departures/${id}/manifest`)}>
            <Icon site={site} name="printer" />
            Manifest to print
          </a>
          {isComing && (
            <a
              class="btn"
              href={href(shown, "/dashboard/bookings/new", {
                offering: offering.id,
                date: format.localDate(starts_at),
                from: format.localDate(starts_at)
              })}
            >
              <Icon site={site} name="plus" />
              Book for this day
            </a>
          )}
          {isComing && live.length > 0 && session_id !== null && (
            <a class="btn" href={site.link(`/dashboard/broadcast?session=${session_id}`)}>
              <Icon site={site} name="send" />
              Write to all
            </a>
          )}
          <a class="btn" href={site.link(`/dashboard/offerings/${offering.id}`)}>Offering</a>
        </>
      ),
      body: (
        <div class="stack">
          {status === "cancelled" && <p class="note wrong">This departure is cancelled. Its guests were told.</p>}
          <dl class="tiles">
            <div class="card tile">
              <dt>{places[offering.kind]}</dt>
              <dd>
                {bookedOf(shown, departure)}
                <progress
                  class="meter"
                  max={Math.max(1, capacity)}
                  value={Math.min(booked, capacity)}
                  aria-hidden="true"
                />
              </dd>
            </div>
            <div class="card tile">
              <dt>{offering.kind === "rental" ? "Items" : "Guests"}</dt>
              <dd>{format.number(quantity)}</dd>
            </div>
            <div class="card tile">
              <dt>Bookings</dt>
              <dd>{format.number(live.length)}</dd>
            </div>
          </dl>
          <section class="card" aria-labelledby="guests">
            <header>
              <h2 id="guests">Who comes</h2>
            </header>
            <Manifest shown={shown} label="Who comes" now={now} bookings={live} isCut={isCut} />
          </section>
          {gone.length > 0 && (
            <section class="card" aria-labelledby="gone">
              <header>
                <h2 id="gone">No longer booked</h2>
              </header>
              <Listed shown={shown} now={now} bookings={gone} label="No longer booked" />
            </section>
          )}
        </div>
      )
    }
  })

const places = { class: "Seats booked", appointment: "Parties booked", rental: "Items booked" } as const
