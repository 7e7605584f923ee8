import type { OfferingPageProps } from "./OfferingPageProps.ts"
import { SelectionLink } from "./SelectionLink.tsx"

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
