import { closuresList, dashboardDepartures } from "@trailbook/core/booking"
import { offeringsList } from "@trailbook/core/offering"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import { omitUndefined } from "../../operationCaller.ts"
import { type Format, getZoneCity } from "../../text/Format.ts"
import { Button, EmptyNote, Link, LinkList, Pager } from "../kit/elements.tsx"
import { type DashboardPath, page, type PageContent } from "../kit/page.tsx"
import { toDaySpan } from "../parts/dateTimes.ts"
import { buildGridCss, DayColumns, DayList, MonthGrid } from "./Grid.tsx"
import { computeVisibleHours, getWeekStart, toCalendarDays } from "./week.ts"

const views = ["day", "week", "month", "list"] as const
type View = (typeof views)[number]

const viewNames = { day: "Day", week: "Week", month: "Month", list: "List" } as const

/** The departures for a day, week, or month. A week can also be shown as a list. Default: this week. */
export const calendarPage = page("/calendar", {
  *view(context) {
    const { clock: { now, today: current, zone }, format, org, query, run, site } = context
    const view = views.find((view) => query(view) !== undefined) ?? "week"
    const date = LocalDate.parse(query(view) ?? "") ?? current
    const { before, days: dayCount, first, next } = toRange(view, date, format.weekBegins)
    const pageNumber = Number(/^[1-9]$/.exec(query("page") ?? "")?.[0] ?? "1")
    const schedule = yield* run(dashboardDepartures, {
      ...toDaySpan(zone, first, dayCount),
      ...(view === "day" ? { skip: (pageNumber - 1) * perPage, limit: perPage } : {})
    })
    const from = LocalDate.format(first)
    const last = LocalDate.format(LocalDate.addDays(first, dayCount - 1))
    const { data: closureRows } = yield* run(closuresList, { from, limit: 500 })
    const closures = closureRows.filter(({ from_date }) => from_date <= last)
    const days = toCalendarDays(schedule.data, first, zone, dayCount)
    const hours = computeVisibleHours(days)
    const localNow = zone.wallAt(now)
    const today = LocalDate.format(localNow.date)
    const link = (view: View, to: LocalDate.LocalDate): DashboardPath => `/calendar?${view}=${LocalDate.format(to)}`
    const isCurrent = first <= current && current < LocalDate.addDays(first, dayCount)
    const countText = `${schedule.departures} ${schedule.departures === 1 ? "departure" : "departures"}`
    const isEmpty = schedule.departures === 0 && closures.length === 0
    return {
      title: formatTitle(format, view, LocalDate.format(date), from, last),
      lead: view === "day"
        ? `${countText} · ${getZoneCity(org.timezone)} time`
        : `${getZoneCity(org.timezone)} time (${
          formatZones(format, zone.startOf(first), zone.startOf(LocalDate.addDays(first, dayCount)))
        }) · ${countText}`,
      script: view === "month" || view === "list" ? undefined : "calendar",
      css: view === "month" || view === "list"
        ? undefined
        : buildGridCss(days, hours, { date: today, minute: Math.floor(localNow.millisOfDay / 60_000) }),
      actions: (
        <>
          <Button icon="chevron-left" to={link(view, before)}>
            <span class="sr">{`Previous ${unitName(view)}`}</span>
          </Button>
          <Button to={link(view, current)} aria-current={isCurrent ? "date" : undefined}>
            {view === "day" ? "Today" : `This ${unitName(view)}`}
          </Button>
          <Button icon="chevron-right" to={link(view, next)}>
            <span class="sr">{`Next ${unitName(view)}`}</span>
          </Button>
          <span class="acts">
            {views.map((one) => (
              <Button key={one} to={link(one, date)} aria-current={one === view ? "page" : undefined}>
                {viewNames[one]}
              </Button>
            ))}
          </span>
          {view === "day" && <Button icon="printer" to={`/manifest?date=${from}`}>Manifest</Button>}
          {view === "day" && <Button to={`/closures/new?date=${from}`}>Close dates</Button>}
          {view !== "day" && <Button to="/closures">Closed dates</Button>}
        </>
      ),
      body: (
        <>
          {schedule.is_cut && (
            <p class="note">
              {`The first ${schedule.departures} departures are shown. Choose a day to see all of its departures.`}
            </p>
          )}
          {view === "month" && (
            <MonthGrid days={days} closures={closures} today={today} month={LocalDate.format(date).slice(0, 7)} />
          )}
          {(view === "week" || view === "day") && (
            <DayColumns days={days} hours={hours} closures={closures} today={today} />
          )}
          {view !== "month" && <DayList days={days} closures={closures} today={today} isWide={view === "list"} />}
          {isEmpty && (
            <EmptyNote>
              {`No departures ${view === "day" ? "on this day" : `this ${unitName(view)}`}. `}
              <Link to={`/calendar/add?date=${from}`}>Add one</Link>.
            </EmptyNote>
          )}
          {view === "day" && (
            <Pager
              label="Pages"
              back={pageNumber > 1 && ["Earlier", site.link(`/dashboard${link(view, date)}&page=${pageNumber - 1}`)]}
              more={pageNumber * perPage < schedule.departures &&
                ["Later", site.link(`/dashboard${link(view, date)}&page=${pageNumber + 1}`)]}
            />
          )}
        </>
      )
    }
  }
})

/** Links that add a departure or a booking on a date, at a specific time if the URL contains one. */
export const addToCalendarPage = page("/calendar/add", {
  *view({ clock: { today }, format, query, run }) {
    const date = LocalDate.format(LocalDate.parse(query("date") ?? "") ?? today)
    const timeText = query("time") ?? ""
    const time = LocalTime.parse(timeText) === undefined ? undefined : timeText
    const { data } = yield* run(offeringsList, { limit: 200 })
    const params = new URLSearchParams(omitUndefined({ date, time }))
    return {
      title: `Add to ${format.date(date)}`,
      lead: time === undefined ? undefined : format.wall(time),
      actions: <Button to={`/calendar?week=${date}`}>Calendar</Button>,
      body: (
        <section class="card" aria-label="Add">
          <LinkList
            of={[
              ...data.filter(({ kind }) => kind === "class").map(({ id, name }) =>
                [
                  `/offerings/${id}/sessions/new?${params}`,
                  `New departure: ${name}`,
                  "Adds seats that guests can book."
                ] as const
              ),
              ...data.map(({ id, name }) =>
                [
                  `/bookings/new?offering=${id}&date=${date}&from=${date}`,
                  `New booking: ${name}`,
                  "Creates a booking for a guest who calls or writes."
                ] as const
              ),
              [`/closures/new?${params}`, "Close dates", "Stops new bookings. Existing bookings are kept."]
            ]}
          />
        </section>
      )
    } satisfies PageContent
  }
})

/** The number of departures on a day's page. */
const perPage = 100

const unitName = (view: View): string => view === "list" ? "week" : view

/** Returns the days to show, and the dates for the previous and next pages. A month is shown in complete weeks. */
const toRange = (view: View, date: LocalDate.LocalDate, weekBegins: 0 | 1) => {
  const makeRange = (first: LocalDate.LocalDate, days: number) => ({
    first,
    days,
    before: LocalDate.addDays(first, -days),
    next: LocalDate.addDays(first, days)
  })
  if (view === "day") return makeRange(date, 1)
  if (view !== "month") return makeRange(getWeekStart(date, weekBegins), 7)
  const monthStart = LocalDate.firstOfMonth(date)
  const next = LocalDate.firstOfMonth(LocalDate.addDays(monthStart, 31))
  const first = getWeekStart(monthStart, weekBegins)
  const days = getWeekStart(LocalDate.addDays(next, -1), weekBegins) + 7 - first
  return { first, days, next, before: LocalDate.firstOfMonth(LocalDate.addDays(monthStart, -1)) }
}

const formatTitle = ({ date, month }: Format, view: View, dateText: string, first: string, last: string): string => {
  if (view === "day") return date(dateText)
  if (view === "month") return month(dateText)
  return month(first) === month(last) ? month(first) : `${month(first)} – ${month(last)}`
}

/** Returns the time zone, such as `MST`, or `MDT, then MST` for a week with a clock change. */
const formatZones = ({ zone }: Format, first: Instant.Instant, end: Instant.Instant): string => {
  const [before, after] = [zone(Instant.format(first)), zone(Instant.format(end))]
  return before === after ? before : `${before}, then ${after}`
}
