import type { DepartureView } from "@trailbook/core/booking"
import type { ClosureView } from "@trailbook/core/offering"
import { getUnits } from "@trailbook/core/org"
import { DepartureRow, formatOccupancy } from "../departures/departureParts.tsx"
import { Button, Card, Icon, Link, ScrollContainer } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"
import { toDateTimeLocal } from "../parts/dateTimes.ts"
import type { CalendarDay, computeVisibleHours, LaneBox } from "./week.ts"

type Hours = ReturnType<typeof computeVisibleHours>

interface GridOptions {
  readonly days: ReadonlyArray<CalendarDay>
  readonly closures: ReadonlyArray<ClosureView>
  readonly today: string
}

/** The days as columns. {@link buildGridCss} positions the elements. */
export const DayColumns = (
  { closures, days, hours: { first, last }, today }: GridOptions & { readonly hours: Hours }
) => {
  const { format, org, reader } = usePage()
  return (
    <div class="card week">
      <ScrollContainer label="Calendar">
        <div
          class="grid"
          // The script that moves departures reads these attributes.
          data-first={first}
          data-last={last}
          data-locale={reader.locale}
          data-hour12={getUnits(org) === "us" ? "" : undefined}
        >
          <div class="hours num" aria-hidden="true">
            {Array.from(
              { length: last - first - 1 },
              (_, at) => <span key={at} id={`h${at + 1}`}>{format.hour((first + at + 1) % 24)}</span>
            )}
          </div>
          {days.map(({ boxes, date }) => (
            <section key={date} aria-label={format.date(date)}>
              <h2>
                <Link to={`/calendar?day=${date}`} aria-current={date === today ? "date" : undefined}>
                  {format.shortDate(date)}
                </Link>
                <AddToCalendarLink date={date} />
              </h2>
              <div>
                <ClosureList closures={closures} date={date} />
              </div>
              <div class={isClosed(closures, date) ? "column closed" : "column"} data-date={date}>
                <HalfHourLinks date={date} hours={{ first, last }} />
                {boxes.map(({ departure }) => (
                  <Link
                    class={toClass(departure)}
                    to={`/departures/${departure.id}`}
                    key={departure.id}
                    id={`e${departure.id}`}
                    {...toMoveAttributes(departure, org.timezone)}
                  >
                    <b dir="auto">{departure.offering.name}</b>
                    <span>
                      {`${format.time(departure.starts_at)} · ${formatOccupancy(format, departure)}`}
                      {format.localDate(departure.starts_at) !== format.localDate(departure.ends_at) &&
                        `, until ${format.day(departure.ends_at)}`}
                    </span>
                  </Link>
                ))}
                {date === today && <span class="now" aria-hidden="true" />}
              </div>
            </section>
          ))}
        </div>
      </ScrollContainer>
      <p class="move-help soft small" id="move-help">
        Drag an empty departure to move it. On the keyboard, use the arrow keys to move it, + and − to change its seats,
        Enter to save, and Escape to cancel.
      </p>
      <div class="toast" data-keep="">
        <output />
        <button type="button" class="btn" hidden>Undo</button>
      </div>
    </div>
  )
}

/**
 * Links that add a departure at each half hour, for mouse and touch users. Keyboard users can follow the day's link. The
 * links are written as HTML, because they would otherwise be a third of the elements that a busy week renders.
 */
const HalfHourLinks = ({ date, hours: { first, last } }: { readonly date: string; readonly hours: Hours }) => {
  const { site } = usePage()
  const href = site.link(`/dashboard/calendar/add?date=${date}`).replaceAll("&", "&amp;").replaceAll("\"", "&quot;")
  const links = Array.from({ length: (last - first) * 2 }, (_, at) => {
    const time = `${String(first + Math.floor(at / 2)).padStart(2, "0")}:${at % 2 === 0 ? "00" : "30"}`
    return `<a href="${href}&amp;time=${time}" tabindex="-1"><span class="sr">${time}</span></a>`
  })
  return <div class="slots" aria-hidden="true" dangerouslySetInnerHTML={{ __html: links.join("") }} />
}

/** Returns a departure's attributes for the script: its start and seats if it can move, or the reason it cannot. */
const toMoveAttributes = ({ capacity, quantity, session_id, starts_at, status }: DepartureView, timezone: string) =>
  quantity > 0
    ? { title: `${quantity} booked. To move this departure, first move its bookings.` }
    : session_id === null || status === "cancelled"
    ? {}
    : {
      "data-at": toDateTimeLocal(starts_at, timezone),
      "data-seats": capacity,
      "aria-describedby": "move-help"
    }

const AddToCalendarLink = ({ date }: { readonly date: string }) => (
  <Link class="add" to={`/calendar/add?date=${date}`} aria-label={`Add to ${usePage().format.date(date)}`}>
    <Icon name="plus" />
  </Link>
)

const listClosuresOn = (closures: ReadonlyArray<ClosureView>, date: string) =>
  closures.filter(({ from_date, to_date }) => from_date <= date && date <= to_date)

/** Whether all activities are closed all day. */
const isClosed = (closures: ReadonlyArray<ClosureView>, date: string): boolean =>
  listClosuresOn(closures, date).some(({ offering_id, start_time }) => offering_id === null && start_time === null)

/** A date's closures, one per line. */
const ClosureList = (
  { closures, date }: { readonly closures: ReadonlyArray<ClosureView>; readonly date: string }
) => {
  const { format } = usePage()
  return (
    <>
      {listClosuresOn(closures, date).map(({ end_time: end, id, offering_id, reason, start_time: start }) => (
        <Link key={id} class="shut" to={`/closures/${id}`}>
          {offering_id === null ? "Closed: " : "Partly closed: "}
          <span dir="auto">{reason}</span>
          {start === null || end === null ? "" : `, ${format.wall(start)} – ${format.wall(end)}`}
        </Link>
      ))}
    </>
  )
}

const toClass = ({ booked, capacity, held }: DepartureView): string =>
  ["event", ...booked >= capacity ? ["full"] : [], ...held > 0 ? ["held"] : [], ...booked === 0 ? ["none"] : []].join(
    " "
  )

/** The days as lists, either on narrow screens only or on all screens. */
export const DayList = ({ closures, days, isWide = false, today }: GridOptions & { readonly isWide?: boolean }) => {
  const { format } = usePage()
  return (
    <div class={isWide ? "stack" : "agenda stack"}>
      {days.filter(({ all, date }) => all.length > 0 || listClosuresOn(closures, date).length > 0).map((
        { all, date }
      ) => (
        <Card
          key={date}
          id={`list-${date}`}
          title={format.date(date)}
          headerEnd={
            <>
              {date === today && <span class="tag ok">Today</span>}
              <AddToCalendarLink date={date} />
            </>
          }
        >
          <ClosureList closures={closures} date={date} />
          <ul>
            {all.slice(0, maxListed).map((one) => <DepartureRow key={one.id} departure={one} />)}
          </ul>
          {all.length > maxListed && (
            <p class="pager">
              <Button to={`/calendar?day=${date}`}>{`Show all ${all.length}`}</Button>
            </p>
          )}
        </Card>
      ))}
    </div>
  )
}

/** The maximum number of departures per day. The day's own page shows all of them. */
const maxListed = 12

/**
 * Returns the CSS rules that position the hours, departures, and current time. The content security policy forbids
 * style attributes.
 */
export const buildGridCss = (
  days: ReadonlyArray<CalendarDay>,
  { first, last }: Hours,
  now: { readonly date: string; readonly minute: number }
): string => {
  const toPercent = (minutes: number) => `${Math.round((minutes * 10_000) / ((last - first) * 60)) / 100}%`
  const toRule = (name: string, { from, lane, lanes, to }: LaneBox) => {
    // Always set the lane, because the rules from before a page refresh still apply.
    const lanePosition = `inset-inline-start:${Math.round((lane * 1000) / lanes) / 10}%;width:${
      Math.round(1000 / lanes) / 10
    }%`
    return `#${name}{top:${toPercent(from - first * 60)};height:${toPercent(to - from)};${lanePosition}}`
  }
  // Days with more lanes are wider. If the days do not fit, the grid scrolls horizontally.
  const columns = days.map(({ boxes }) => {
    const lanes = Math.max(1, ...boxes.map(({ lanes }) => lanes))
    return `minmax(${lanes * 4.8}rem,${Math.max(1, lanes / 2)}fr)`
  })
  return [
    `.week .grid{--hours:${last - first};grid-template-columns:3.6rem ${columns.join(" ")}}`,
    ...Array.from({ length: last - first - 1 }, (_, at) => `#h${at + 1}{top:${toPercent((at + 1) * 60)}}`),
    ...days.flatMap(({ boxes }) => boxes.map((one) => toRule(`e${one.departure.id}`, one))),
    ...days.some(({ date }) => date === now.date) && now.minute >= first * 60 && now.minute <= last * 60
      ? [`.now{top:${toPercent(now.minute - first * 60)}}`]
      : [`.now{display:none}`]
  ].join("")
}

/** A month as a grid of days, with each day's first departures. */
export const MonthGrid = ({ closures, days, month, today }: GridOptions & { readonly month: string }) => {
  const { format } = usePage()
  const weekdays = days.slice(0, 7).map(({ date }) => format.weekdays("short")[new Date(date).getUTCDay()])
  return (
    <div class="card month">
      <p class="names" aria-hidden="true">{weekdays.map((name) => <span key={name}>{name}</span>)}</p>
      {days.map(({ all, date }) => (
        <section
          key={date}
          class={`${date.startsWith(month) ? "" : "other "}${isClosed(closures, date) ? "closed" : ""}`}
          aria-label={format.date(date)}
        >
          <h2>
            <Link to={`/calendar?day=${date}`} aria-current={date === today ? "date" : undefined}>
              {Number(date.slice(8))}
            </Link>
            <AddToCalendarLink date={date} />
          </h2>
          {all.some(({ quantity }) => quantity > 0) && (
            <small class="sum num">
              {`${format.number(all.reduce((sum, { quantity }) => sum + quantity, 0))} guests`}
            </small>
          )}
          <ClosureList closures={closures} date={date} />
          {all.slice(0, maxInMonth).map((one) => (
            <Link key={one.id} class={toClass(one)} to={`/departures/${one.id}`}>
              <span class="clip">
                <b dir="auto">{`${format.time(one.starts_at)} ${one.offering.name}`}</b>
                {` ${formatOccupancy(format, one)}`}
              </span>
            </Link>
          ))}
          {all.length > maxInMonth && (
            <Link class="more" to={`/calendar?day=${date}`}>{`${all.length - maxInMonth} more`}</Link>
          )}
        </section>
      ))}
    </div>
  )
}

const maxInMonth = 4
