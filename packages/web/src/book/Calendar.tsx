/**
 * The dates to choose from: a month as a table of days, a strip of days for small screens, and the nearest days with
 * availability.
 */
import type { PublicDayView } from "@trailbook/core/operation"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { type OfferingPageProps, SelectionLink } from "./OfferingPageProps.tsx"

/**
 * A month as a table of days. Days with availability are links that show the date and the remaining capacity. Other
 * days are plain text. If the guest has already typed contact details, the links become buttons in the surrounding
 * form, so that the details are submitted too.
 */
export const Calendar = ({ picked }: { readonly picked: OfferingPageProps }) => {
  const { monthView, context: { format } } = picked
  const firstOfMonth = LocalDate.parse(monthView.month) ?? LocalDate.make(0)
  const days = new Map(monthView.days.map((day) => [day.date, day]))
  const shortNames = rotate(format.weekdays("short"), format.weekBegins)
  const longNames = rotate(format.weekdays("long"), format.weekBegins)
  return (
    <section class={isMonthExpanded(picked) ? "month open" : "month"} aria-labelledby="month">
      <div class="month-head">
        <MonthLink picked={picked} offset={-1} />
        <h2 id="month" tabIndex={-1}>{format.month(monthView.month)}</h2>
        <MonthLink picked={picked} offset={1} />
      </div>
      <table class="cal num" aria-labelledby="month">
        <thead>
          <tr>
            {shortNames.map((name, at) => (
              <th key={name} scope="col" abbr={longNames[at]}>
                <span aria-hidden="true">{name}</span>
                <span class="sr">{longNames[at]}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {toWeeks(firstOfMonth, format.weekBegins).map((week) => (
            <tr key={week[0]}>
              {week.map((date) => (
                <td key={date}>
                  {LocalDate.firstOfMonth(date) === firstOfMonth && (
                    <Day picked={picked} date={LocalDate.format(date)} day={days.get(LocalDate.format(date))} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const Day = (
  { date, day, picked }: {
    readonly picked: OfferingPageProps
    readonly date: string
    readonly day: PublicDayView | undefined
  }
) => {
  const { monthView, context } = picked
  const { format, text: { book } } = context
  const number = format.number(Number(date.slice(-2)))
  const isChosen = date === monthView.date
  if (day === undefined) return <span aria-current={isChosen ? "date" : undefined}>{number}</span>
  if (day.starts === 0) {
    return (
      <span class="full" aria-current={isChosen ? "date" : undefined}>
        <s aria-hidden="true">{number}</s>
        <span class="sr">{book.dayFull(format.date(date))}</span>
      </span>
    )
  }
  return (
    <SelectionLink
      picked={picked}
      aria-label={book.day(format.date(date), day.starts, day.remaining)}
      aria-current={isChosen ? "date" : undefined}
      swap="times"
      name="date"
      value={date}
    >
      {number}
    </SelectionLink>
  )
}

/** A link to the previous or next month, if it is within the bookable range. */
const MonthLink = ({ offset, picked }: { readonly picked: OfferingPageProps; readonly offset: -1 | 1 }) => {
  const { monthView, context } = picked
  const { book } = context.text
  const firstOfMonth = LocalDate.parse(monthView.month) ?? LocalDate.make(0)
  const target = LocalDate.format(LocalDate.firstOfMonth(LocalDate.addDays(firstOfMonth, offset === 1 ? 31 : -1)))
  const isInRange = offset === 1 ? target <= monthView.horizon : monthView.month > monthView.today
  const label = offset === 1 ? book.laterMonth : book.earlierMonth
  const arrow = <span class={offset === 1 ? "on" : "off"} aria-hidden="true" />
  if (!isInRange) return <span class="turn">{arrow}</span>
  return (
    <SelectionLink picked={picked} class="turn" aria-label={label} swap="month" name="month" value={target.slice(0, 7)}>
      {arrow}
    </SelectionLink>
  )
}

const rotate = (names: ReadonlyArray<string>, count: number): ReadonlyArray<string> => [
  ...names.slice(count),
  ...names.slice(0, count)
]

const toWeeks = (
  firstOfMonth: LocalDate.LocalDate,
  weekStart: 0 | 1
): ReadonlyArray<ReadonlyArray<LocalDate.LocalDate>> => {
  const weeks: Array<ReadonlyArray<LocalDate.LocalDate>> = []
  let day = LocalDate.addDays(firstOfMonth, -((LocalDate.weekday(firstOfMonth) - weekStart + 7) % 7))
  while (LocalDate.firstOfMonth(day) <= firstOfMonth) {
    const firstDay = day
    weeks.push([0, 1, 2, 3, 4, 5, 6].map((n) => LocalDate.addDays(firstDay, n)))
    day = LocalDate.addDays(day, 7)
  }
  return weeks
}

/**
 * Whether small screens show the month instead of the strip. They show the month if the guest has requested it or typed
 * contact details, or if no day in the strip has room.
 */
export const isMonthExpanded = ({ monthView, context, contactDetails }: OfferingPageProps): boolean =>
  contactDetails !== undefined || monthView.date === null || context.url.searchParams.has("month")

/**
 * The month's days with start times in a single row, for screens where a full month would leave no room for the times.
 */
export const DateStrip = ({ picked }: { readonly picked: OfferingPageProps }) => {
  const { monthView, context: { format, text: { book } } } = picked
  if (isMonthExpanded(picked)) return null
  return (
    <nav class="strip" aria-label={book.dates}>
      {monthView.days.map(({ date, remaining, starts }) => {
        const label = starts === 0 ? book.dayFull(format.date(date)) : book.day(format.date(date), starts, remaining)
        const weekday = format.weekdays("short")[new Date(date).getUTCDay()] ?? ""
        const number = format.number(Number(date.slice(-2)))
        return (
          <SelectionLink
            key={date}
            picked={picked}
            {...starts === 0 ? { class: "full" } : {}}
            aria-label={`${weekday} ${number} · ${label}`}
            aria-current={date === monthView.date ? "date" : undefined}
            swap="times"
            name="date"
            value={date}
          >
            <small>{weekday}</small> {starts === 0 ? <s>{number}</s> : <b>{number}</b>}
          </SelectionLink>
        )
      })}
    </nav>
  )
}

/**
 * The nearest days with room before and after a full day, within the same month. If the month has no such day, the next
 * day with room is shown.
 */
export const NearestDays = ({ picked }: { readonly picked: OfferingPageProps }) => {
  const { monthView, context: { format, text: { book } } } = picked
  const next = monthView.nothing_free?.next
  const distance = (date: string): number => Math.abs(Date.parse(date) - Date.parse(monthView.date ?? date))
  const near = monthView.days.filter(({ starts }) => starts > 0).map(({ date }) => date)
    .toSorted((a, b) => distance(a) - distance(b)).slice(0, 2).toSorted()
  const dates = near.length > 0 || next === undefined ? near : [format.localDate(next.starts_at)]
  if (dates.length === 0) return null
  return (
    <div class="stack tight">
      <p class="soft small">{book.nearest}</p>
      <p class="acts">
        {dates.map((date) => (
          <SelectionLink key={date} picked={picked} class="btn ghost" swap="times" name="date" value={date}>
            {format.date(date)}
          </SelectionLink>
        ))}
      </p>
    </div>
  )
}
