import { dashboardDepartures } from "@trailbook/core/operation/departureOperations"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { moment } from "@trailbook/core/time/moment"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import { cityOf, type Format } from "../../text/Format.ts"
import { DepartureRow } from "../departures/DepartureRow.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Icon } from "../parts/Icon.tsx"
import type { DeskAsked, DeskPage, View } from "../View.ts"
import { cssOf, Grid, List } from "./Grid.tsx"
import { daysOf, hoursOf, weekOf } from "./week.ts"

/**
 * What departs in a week, or on a day.
 *
 * @category views
 */
export const view: View = (asked) => {
  const day = LocalDate.parse(asked.query("day") ?? "")
  return day === undefined ? week(asked) : oneDay(asked, day)
}

const week = ({ query, run, shown }: DeskAsked) =>
  Effect.gen(function*() {
    const { format, org, site } = shown
    const zone = Zone.get(org.timezone)
    const now = yield* moment
    const today = zone.dateAt(now)
    const asked = LocalDate.parse(query("week") ?? "") ?? today
    const first = weekOf(asked, format.weekBegins)
    const end = LocalDate.addDays(first, 7)
    const coming = yield* run(dashboardDepartures, {
      from: Instant.format(zone.startOf(first)),
      to: Instant.format(zone.startOf(end))
    })
    const days = daysOf(coming.data, first, zone)
    const hours = hoursOf(days)
    const last = LocalDate.format(LocalDate.addDays(end, -1))
    const link = (date: LocalDate.LocalDate) => site.link(`/dashboard/calendar?week=${LocalDate.format(date)}`)
    const wall = zone.wallAt(now)
    const line = { date: LocalDate.format(wall.date), minute: Math.floor(wall.millisOfDay / 60_000) }
    return {
      title: titleOf(format, LocalDate.format(first), last),
      part: "calendar",
      lead: `Times of ${cityOf(org.timezone)}, ${zonesOf(format, zone.startOf(first), zone.startOf(end))}`,
      css: cssOf(days, hours, line),
      actions: (
        <>
          <a class="btn" href={link(LocalDate.addDays(first, -7))}>
            <Icon site={site} name="chevron-left" />
            <span class="sr">The week before</span>
          </a>
          <a
            class="btn"
            href={site.link("/dashboard/calendar")}
            aria-current={first === weekOf(today, format.weekBegins) ? "date" : undefined}
          >
            This week
          </a>
          <a class="btn" href={link(end)}>
            <Icon site={site} name="chevron-right" />
            <span class="sr">The week after</span>
          </a>
        </>
      ),
      body: (
        <>
          {coming.is_cut && (
            <p class="note">{`The first ${coming.departures} departures are shown. Choose a day to see all of it.`}</p>
          )}
          <Grid shown={shown} days={days} hours={hours} today={line.date} />
          <List shown={shown} days={days} today={line.date} />
          {coming.data.length === 0 && (
            <p class="soft pad">
              Nothing departs in this week. <a href={site.link("/dashboard/offerings")}>Schedule departures</a> or{" "}
              <a href={site.link("/dashboard/bookings/new")}>make a booking</a>.
            </p>
          )}
        </>
      )
    } satisfies DeskPage
  })

/** How many departures a page of a day has. */
const perPage = 100

const oneDay = ({ query, run, shown }: DeskAsked, day: LocalDate.LocalDate) =>
  Effect.gen(function*() {
    const { format, org, site } = shown
    const zone = Zone.get(org.timezone)
    const at = Number(/^[1-9]$/.exec(query("page") ?? "")?.[0] ?? "1")
    const { data, departures } = yield* run(dashboardDepartures, {
      from: Instant.format(zone.startOf(day)),
      to: Instant.format(zone.startOf(LocalDate.addDays(day, 1))),
      skip: (at - 1) * perPage,
      limit: perPage
    })
    const link = (day: LocalDate.LocalDate, page = 1) =>
      site.link(`/dashboard/calendar?day=${LocalDate.format(day)}${page === 1 ? "" : `&page=${page}`}`)
    const date = LocalDate.format(day)
    return {
      title: format.date(date),
      part: "calendar",
      lead: `${departures} ${departures === 1 ? "departure" : "departures"} · times of ${cityOf(org.timezone)}`,
      actions: (
        <>
          <a class="btn" href={link(LocalDate.addDays(day, -1))}>
            <Icon site={site} name="chevron-left" />
            <span class="sr">The day before</span>
          </a>
          <a class="btn" href={site.link(`/dashboard/calendar?week=${date}`)}>Week</a>
          <a class="btn" href={link(LocalDate.addDays(day, 1))}>
            <Icon site={site} name="chevron-right" />
            <span class="sr">The day after</span>
          </a>
          <a class="btn" href={site.link(`/dashboard/manifest?date=${date}`)}>
            <Icon site={site} name="printer" />
            Manifest
          </a>
        </>
      ),
      body: (
        <section class="card" aria-label="Departures">
          {data.length === 0 && (
            <Empty>
              Nothing departs on this day. <a href={site.link("/dashboard/bookings/new")}>Make a booking</a>.
            </Empty>
          )}
          <ul>
            {data.map((departure) => (
              <DepartureRow key={departure.id} shown={shown} departure={departure} named={undefined} />
            ))}
          </ul>
          {(at > 1 || at * perPage < departures) && (
            <nav class="pager" aria-label="Pages">
              {at > 1 ? <a class="btn" href={link(day, at - 1)}>Earlier</a> : <span />}
              {at * perPage < departures && <a class="btn" href={link(day, at + 1)}>Later</a>}
            </nav>
          )}
        </section>
      )
    } satisfies DeskPage
  })

const titleOf = ({ month }: Format, first: string, last: string): string =>
  month(first) === month(last) ? month(first) : `${month(first)} – ${month(last)}`

/** `MST`, or `MDT, then MST` in a week in which the clocks change. */
const zonesOf = ({ zone }: Format, first: Instant.Instant, end: Instant.Instant): string => {
  const [before, after] = [zone(Instant.format(first)), zone(Instant.format(end))]
  return before === after ? before : `${before}, then ${after}`
}
