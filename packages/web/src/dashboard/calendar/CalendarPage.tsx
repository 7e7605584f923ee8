import { dashboardDepartures } from "@trailbook/core/booking/departureOperations"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import { type Format, zoneCity } from "../../text/Format.ts"
import { DepartureRow } from "../departures/DepartureRow.tsx"
import { Button, Empty, Link, Pager } from "../kit/elements.tsx"
import { type Content, page } from "../kit/page.tsx"
import type { PageContext } from "../Page.ts"
import { daySpan } from "../parts/moments.ts"
import { Grid, gridCss, List } from "./Grid.tsx"
import { toDays, visibleHours, weekStart } from "./week.ts"

/** Departures of a week or a day. */
export const calendar = page("/calendar", {
  view: (asked) => {
    const day = LocalDate.parse(asked.query("day") ?? "")
    return day === undefined ? week(asked) : oneDay(asked, day)
  }
})

const week = ({ clock: { now, today, zone }, format, org, query, run, site }: PageContext) =>
  Effect.gen(function*() {
    const asked = LocalDate.parse(query("week") ?? "") ?? today
    const first = weekStart(asked, format.weekBegins)
    const end = LocalDate.addDays(first, 7)
    const coming = yield* run(dashboardDepartures, daySpan(zone, first, 7))
    const days = toDays(coming.data, first, zone)
    const hours = visibleHours(days)
    const last = LocalDate.format(LocalDate.addDays(end, -1))
    const link = (date: LocalDate.LocalDate) => site.link(`/dashboard/calendar?week=${LocalDate.format(date)}`)
    const wall = zone.wallAt(now)
    const line = { date: LocalDate.format(wall.date), minute: Math.floor(wall.millisOfDay / 60_000) }
    return {
      title: titleOf(format, LocalDate.format(first), last),
      lead: `Times of ${zoneCity(org.timezone)}, ${zonesOf(format, zone.startOf(first), zone.startOf(end))}`,
      css: gridCss(days, hours, line),
      actions: (
        <>
          <Button icon="chevron-left" href={link(LocalDate.addDays(first, -7))}>
            <span class="sr">Previous week</span>
          </Button>
          <Button to="/calendar" aria-current={first === weekStart(today, format.weekBegins) ? "date" : undefined}>
            This week
          </Button>
          <Button icon="chevron-right" href={link(end)}>
            <span class="sr">Next week</span>
          </Button>
          <Button to="/closures">Closed dates</Button>
        </>
      ),
      body: (
        <>
          {coming.is_cut && (
            <p class="note">
              {`The first ${coming.departures} departures are shown. Choose a day to see all of its departures.`}
            </p>
          )}
          <Grid days={days} hours={hours} today={line.date} />
          <List days={days} today={line.date} />
          {coming.data.length === 0 && (
            <p class="soft pad">
              No departures this week. <Link to="/offerings">Schedule departures</Link> or{" "}
              <Link to="/bookings/new">make a booking</Link>.
            </p>
          )}
        </>
      )
    } satisfies Content
  })

const perPage = 100

const oneDay = ({ clock: { zone }, format, org, query, run, shown, site }: PageContext, day: LocalDate.LocalDate) =>
  Effect.gen(function*() {
    const at = Number(/^[1-9]$/.exec(query("page") ?? "")?.[0] ?? "1")
    const { data, departures } = yield* run(dashboardDepartures, {
      ...daySpan(zone, day, 1),
      skip: (at - 1) * perPage,
      limit: perPage
    })
    const link = (day: LocalDate.LocalDate, page = 1) =>
      site.link(`/dashboard/calendar?day=${LocalDate.format(day)}${page === 1 ? "" : `&page=${page}`}`)
    const date = LocalDate.format(day)
    return {
      title: format.date(date),
      lead: `${departures} ${departures === 1 ? "departure" : "departures"} · times of ${zoneCity(org.timezone)}`,
      actions: (
        <>
          <Button icon="chevron-left" href={link(LocalDate.addDays(day, -1))}>
            <span class="sr">Previous day</span>
          </Button>
          <Button to={`/calendar?week=${date}`}>Week</Button>
          <Button icon="chevron-right" href={link(LocalDate.addDays(day, 1))}>
            <span class="sr">Next day</span>
          </Button>
          <Button icon="printer" to={`/manifest?date=${date}`}>Manifest</Button>
          <Button to={`/closures/new?date=${date}`}>Close</Button>
        </>
      ),
      body: (
        <section class="card" aria-label="Departures">
          {data.length === 0 && (
            <Empty>
              No departures on this day. <Link to="/bookings/new">New booking</Link>.
            </Empty>
          )}
          <ul>
            {data.map((one) => <DepartureRow key={one.id} shown={shown} departure={one} />)}
          </ul>
          <Pager
            label="Pages"
            back={at > 1 && ["Earlier", link(day, at - 1)]}
            more={at * perPage < departures && ["Later", link(day, at + 1)]}
          />
        </section>
      )
    } satisfies Content
  })

const titleOf = ({ month }: Format, first: string, last: string): string =>
  month(first) === month(last) ? month(first) : `${month(first)} – ${month(last)}`

/** `MST`, or `MDT, then MST` for a week in which the clocks change. */
const zonesOf = ({ zone }: Format, first: Instant.Instant, end: Instant.Instant): string => {
  const [before, after] = [zone(Instant.format(first)), zone(Instant.format(end))]
  return before === after ? before : `${before}, then ${after}`
}
