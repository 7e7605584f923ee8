import type { DepartureView } from "@trailbook/core/booking/departureOperations"
import { bookedText, DepartureRow } from "../departures/DepartureRow.tsx"
import { Button, Card, Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"
import type { Box, Day, visibleHours } from "./week.ts"

type Hours = ReturnType<typeof visibleHours>

interface Shows {
  readonly days: ReadonlyArray<Day>
  readonly today: string
}

/** The week as columns of days. {@link gridCss} positions the elements. */
export const Grid = ({ days, hours: { first, last }, today }: Shows & { readonly hours: Hours }) => {
  const { format } = usePage()
  return (
    <div class="card week">
      <div class="hours num" aria-hidden="true">
        {Array.from(
          { length: last - first - 1 },
          (_, at) => <span key={at} id={`h${at + 1}`}>{format.hour((first + at + 1) % 24)}</span>
        )}
      </div>
      {days.map(({ boxes, crowds, date }, column) => (
        <section key={date} aria-label={format.date(date)}>
          <h2>
            <Link to={`/calendar?day=${date}`} aria-current={date === today ? "date" : undefined}>
              {format.shortDate(date)}
            </Link>
          </h2>
          <div class="column">
            {boxes.map(({ departure }, at) => (
              <Link
                class={classOf(departure)}
                to={`/departures/${departure.id}`}
                key={departure.id}
                id={`e${column}-${at}`}
              >
                <Line departure={departure} />
              </Link>
            ))}
            {crowds.map(({ departures, hidden }, at) => (
              <ul key={at} id={`c${column}-${at}`} class="event crowd">
                {departures.map((departure) => (
                  <li key={departure.id}>
                    <Link to={`/departures/${departure.id}`}>
                      <Line departure={departure} />
                    </Link>
                  </li>
                ))}
                {hidden > 0 && (
                  <li>
                    <Link to={`/calendar?day=${date}`}>{`${hidden} more`}</Link>
                  </li>
                )}
              </ul>
            ))}
            {date === today && <span class="now" aria-hidden="true" />}
          </div>
        </section>
      ))}
    </div>
  )
}

const Line = ({ departure }: { readonly departure: DepartureView }) => {
  const { shown } = usePage()
  const { day, localDate, time } = shown.format
  const { ends_at, offering, starts_at } = departure
  const isOneDay = localDate(starts_at) === localDate(ends_at)
  return (
    <>
      <b dir="auto">{offering.name}</b>
      <span>{`${time(starts_at)} · ${bookedText(shown, departure)}${isOneDay ? "" : `, until ${day(ends_at)}`}`}</span>
    </>
  )
}

const classOf = ({ booked, capacity, held }: DepartureView): string =>
  ["event", ...booked >= capacity ? ["full"] : [], ...held > 0 ? ["held"] : [], ...booked === 0 ? ["none"] : []].join(
    " "
  )

/** The week as lists, for narrow screens. */
export const List = ({ days, today }: Shows) => {
  const { shown } = usePage()
  return (
    <div class="agenda stack">
      {days.filter(({ all }) => all.length > 0).map(({ all, date }) => (
        <Card
          key={date}
          id={`list-${date}`}
          title={shown.format.date(date)}
          headerEnd={date === today && <span class="tag ok">Today</span>}
        >
          <ul>
            {all.slice(0, mostListed).map((one) => <DepartureRow key={one.id} shown={shown} departure={one} />)}
          </ul>
          {all.length > mostListed && (
            <p class="pager">
              <Button to={`/calendar?day=${date}`}>{`All ${all.length}`}</Button>
            </p>
          )}
        </Card>
      ))}
    </div>
  )
}

/** Further departures of a day are on its own page. */
const mostListed = 12

/**
 * CSS rules that position hours, departures, and the current time. The content security policy forbids style
 * attributes.
 */
export const gridCss = (
  days: ReadonlyArray<Day>,
  { first, last }: Hours,
  now: { readonly date: string; readonly minute: number }
): string => {
  const share = (minutes: number) => `${Math.round((minutes * 10_000) / ((last - first) * 60)) / 100}%`
  const box = (name: string, { from, lane, lanes, to }: Box) => {
    const side = lanes === 1 ?
      "" :
      `inset-inline-start:${Math.round((lane * 1000) / lanes) / 10}%;width:${Math.round(1000 / lanes) / 10}%;`
    return `#${name}{top:${share(from - first * 60)};height:${share(to - from)};${side}}`
  }
  return [
    `.week{--hours:${last - first}}`,
    ...Array.from({ length: last - first - 1 }, (_, at) => `#h${at + 1}{top:${share((at + 1) * 60)}}`),
    ...days.flatMap(({ boxes, crowds }, column) => [
      ...boxes.map((one, at) => box(`e${column}-${at}`, one)),
      ...crowds.map((one, at) => box(`c${column}-${at}`, one))
    ]),
    ...days.some(({ date }) => date === now.date) && now.minute >= first * 60 && now.minute <= last * 60
      ? [`.now{top:${share(now.minute - first * 60)}}`]
      : [`.now{display:none}`]
  ].join("")
}
