import { dashboardDepartures } from "@trailbook/core/booking"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import { timeRangeText } from "../bookings/facts.tsx"
import { Button, Empty, Pager } from "../kit/elements.tsx"
import { page } from "../kit/page.tsx"
import { daySpan } from "../parts/moments.ts"
import { loadDepartureGuests } from "./departureGuests.ts"
import { bookedText } from "./DepartureRow.tsx"
import { Manifest, PrintHint } from "./Manifest.tsx"

/** The page size. Each departure's guests are read separately. */
const perPage = 20

/** Printable manifests for all of a day's departures. */
export const dayManifest = page("/manifest", {
  *view({ clock: { stamp, today, zone }, format, org, query, run, site }) {
    const day = LocalDate.parse(query("date") ?? "") ?? today
    const at = Number(/^[1-9]\d?$/.exec(query("page") ?? "")?.[0] ?? "1")
    const { data, departures } = yield* run(dashboardDepartures, {
      ...daySpan(zone, day, 1),
      skip: Math.min(1000, (at - 1) * perPage),
      limit: perPage
    })
    const date = LocalDate.format(day)
    const link = (page: number) => site.link(`/dashboard/manifest?date=${date}&page=${page}`)
    const bookedDepartures = data.filter(({ quantity }) => quantity > 0)
    const manifests = yield* Effect.forEach(
      bookedDepartures,
      (departure) => Effect.map(loadDepartureGuests(run, departure, stamp), (guests) => ({ departure, ...guests }))
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
              <Empty>No guests are booked on this day.</Empty>
            </section>
          )}
          {manifests.map(({ departure, isCut, live }) => (
            <section class="card" key={departure.id} aria-labelledby={`d-${departure.id}`}>
              <header>
                <h2 id={`d-${departure.id}`} dir="auto">{departure.offering.name}</h2>
                <span class="soft">{`${timeRangeText(format, departure)} · ${bookedText(format, departure)}`}</span>
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
