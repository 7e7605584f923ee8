import { DepartureRow } from "../departures/DepartureRow.tsx"
import { takesWalkIns } from "../departures/WalkInPage.tsx"
import { Button, Card, Empty, Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"
import type { DepartureList } from "./Tiles.tsx"

/** Departures of the next days, with guest names. */
export const UpcomingDepartures = ({ at, coming, days, perPage }: {
  readonly coming: DepartureList
  /** Page number, from 1. */
  readonly at: number
  readonly perPage: number
  readonly days: number
}) => {
  const { clock, format, org, shown, site } = usePage()
  const hasMore = at * perPage < coming.departures
  return (
    <Card
      id="departures"
      title="Departures"
      headerEnd={<Link class="end" to="/calendar">Calendar</Link>}
    >
      {coming.data.length === 0 && (
        <Empty>
          {at > 1 ? "No more departures." : `No departures in the next ${days} days.`}{" "}
          <Link to="/calendar">Show more days</Link>,{" "}
          <Link to="/offerings">
            schedule departures
          </Link>, or share <a href={site.link(`/book/${org.slug}`)}>your booking page</a>.
        </Empty>
      )}
      <ul>
        {coming.data.map((departure) => (
          <DepartureRow
            key={departure.id}
            shown={shown}
            departure={departure}
            named={namedOf(departure, format.number)}
            takesWalkIns={takesWalkIns(departure, clock)}
          />
        ))}
      </ul>
      {(at > 1 || hasMore) && (
        <nav class="pager" aria-label="Pages of departures">
          {at > 1
            ? <a class="btn" href={site.link(at === 2 ? "/dashboard" : `/dashboard?page=${at - 1}`)}>Earlier</a>
            : (
              <span class="soft small">
                {`${format.number(perPage)} of ${format.number(coming.departures)}`}
              </span>
            )}
          {hasMore && <Button href={site.link(`/dashboard?page=${at + 1}`)}>Later departures</Button>}
        </nav>
      )}
    </Card>
  )
}

/** `Ada Lovelace (2), Grace Hopper (4) and 3 more` */
const namedOf = ({ guests, quantity }: DepartureList["data"][number], number: (value: number) => string): string => {
  if (quantity === 0) return "No guests yet"
  if (guests.length === 0) return "Held, not confirmed"
  const names = guests.map(({ name, quantity }) => `${name} (${number(quantity)})`).join(", ")
  const others = quantity - guests.reduce((sum, { quantity }) => sum + quantity, 0)
  return others > 0 ? `${names} and ${number(others)} more` : names
}
