/**
 * A month as a table of days. Days with availability are links that show the date and the remaining capacity. Other
 * days are plain text. If the guest has already typed contact details, the links become buttons in the surrounding
 * form, so that the details are submitted too.
 */
import type { PublicDayView } from "@trailbook/core/operation"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { isMonthExpanded } from "./DateStrip.tsx"
import type { OfferingPageProps } from "./OfferingPageProps.ts"
import { SelectionLink } from "./SelectionLink.tsx"

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
  if (day === undefined || day.starts === 0) {
    if (day === undefined) return <span aria-current={isChosen ? "date" : undefined}>{number}</span>
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
