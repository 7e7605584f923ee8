import { dashboardDeparture } from "@trailbook/core/booking"
import { timeRangeText } from "../bookings/facts.tsx"
import { Button } from "../kit/elements.tsx"
import { page } from "../kit/page.tsx"
import { loadDepartureGuests, streamManifest } from "./departureGuests.ts"
import { bookedText } from "./DepartureRow.tsx"
import { Manifest, PrintHint } from "./Manifest.tsx"

/** The printable manifest for one departure. */
export const manifest = page("/departures/:id/manifest", {
  file: streamManifest,
  *view({ format, id, now, run }) {
    const departure = yield* run(dashboardDeparture, { id })
    const { isCut, live } = yield* loadDepartureGuests(run, departure, now)
    return {
      title: departure.offering.name,
      lead: `${timeRangeText(format, departure)} ${format.zone(departure.ends_at)} · ${bookedText(format, departure)}`,
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
