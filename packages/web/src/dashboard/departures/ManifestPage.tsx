import { dashboardDeparture } from "@trailbook/core/operation/departureOperations"
import * as Effect from "effect/Effect"
import { whenOf } from "../bookings/facts.tsx"
import type { View } from "../View.ts"
import { bookedOf } from "./DepartureRow.tsx"
import { guestsOf } from "./guests.ts"
import { Manifest, PrintHint } from "./Manifest.tsx"

/**
 * The manifest of one departure, for paper.
 *
 * @category views
 */
export const view: View = ({ clock: { stamp: now }, param, run, shown }) =>
  Effect.gen(function*() {
    const departure = yield* run(dashboardDeparture, { id: param("id") })
    const { isCut, live } = yield* guestsOf(run, departure, now)
    const { format, site } = shown
    return {
      title: departure.offering.name,
      part: "calendar",
      lead: `${whenOf(format, departure)} ${format.zone(departure.ends_at)} · ${bookedOf(shown, departure)}`,
      actions: <a class="btn" href={site.link(`/dashboard/departures/${departure.id}`)}>Back to the departure</a>,
      body: (
        <div class="stack">
          <PrintHint />
          <section class="card" aria-label="Manifest">
            <Manifest shown={shown} label="Manifest" now={now} bookings={live} isCut={isCut} />
          </section>
        </div>
      )
    }
  })
