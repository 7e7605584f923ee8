/** Today's departures: time, guests, guides and boats (from the notes), arrivals, and amounts due. */
import type { ProposalView } from "@trailbook/core/proposal"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { DepartureRow, formatOccupancy } from "../departures/departureParts.tsx"
import { canAddWalkIns } from "../departures/WalkInPage.tsx"
import { Amounts, Button, Card, EmptyNote, Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"
import type { DepartureList, TodayData } from "./TodayPage.tsx"

type Departure = TodayData["departures"][number]

/** Departures that started more than this many minutes ago are collapsed. */
const outMinutes = 60

/** How many minutes before departure guests start to gather. */
const boardingMinutes = 30

export const DeparturesCard = ({ day, next, proposals }: {
  readonly day: TodayData
  /** The next departures, if there are none today. */
  readonly next: DepartureList["data"]
  /** Proposals about the weather. */
  readonly proposals: ReadonlyArray<ProposalView>
}) => {
  const { clock: { now, today }, format, org, site } = usePage()
  const date = LocalDate.format(today)
  const { arrived, count, departures, quantity } = day
  const hasDeparted = ({ starts_at }: Departure) => minutesUntil(now, starts_at) < -outMinutes
  const [outDepartures, nextDepartures] = [
    departures.filter(hasDeparted),
    departures.filter((one) => !hasDeparted(one))
  ]
  const atRiskIds = new Set(proposals.flatMap(({ booking_id, session_id }) => session_id ?? booking_id ?? []))
  const renderRow = (departure: Departure) => (
    <TodayRow key={departure.id} departure={departure} isAtRisk={atRiskIds.has(departure.id)} />
  )
  return (
    <Card
      id="departures"
      title="Departures"
      headerEnd={
        <>
          {quantity > 0 && (
            <span class="soft small num">{`${format.number(arrived)} of ${format.number(quantity)} arrived`}</span>
          )}
          <Link class="end" to={`/calendar?day=${date}`}>Day view</Link>
        </>
      }
    >
      {outDepartures.length > 0 && (
        <details class="out">
          <summary class="row">
            {outDepartures.length === 1
              ? "1 departure has left"
              : `${format.number(outDepartures.length)} departures have left`}
          </summary>
          <ul>{outDepartures.map(renderRow)}</ul>
        </details>
      )}
      <ul id="coming">{nextDepartures.map(renderRow)}</ul>
      {count > departures.length && (
        <p class="pager">
          <Button to={`/calendar?day=${date}`}>{`All ${format.number(count)} departures`}</Button>
        </p>
      )}
      {count === 0 && (
        <EmptyNote>
          {"No departures today. "}
          <Link to={`/calendar/add?date=${date}`}>Add one</Link>,{" "}
          <Link to="/offerings">
            schedule departures
          </Link>, or share <a href={site.link(`/book/${org.slug}`)}>your booking page</a>.
        </EmptyNote>
      )}
      {next.length > 0 && (
        <>
          <h3 class="row">Next departures</h3>
          <ul>
            {next.map((departure) => (
              <DepartureRow key={departure.id} departure={departure}>
                <GuestNames departure={departure} />
              </DepartureRow>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

const TodayRow = ({ departure, isAtRisk }: { readonly departure: Departure; readonly isAtRisk: boolean }) => {
  const { clock, format } = usePage()
  const { arrived, booked, capacity, due, notes, quantity, starts_at, unpaid } = departure
  const minutesLeft = minutesUntil(clock.now, starts_at)
  // An appointment's bookings are counted in parties, but its arrivals are counted in people, so convert the arrivals.
  const arrivedWidth = quantity === 0 ? 0 : Math.min(booked, booked * arrived / quantity)
  return (
    <DepartureRow
      departure={departure}
      hasDay={false}
      takesWalkIns={canAddWalkIns(departure, clock)}
      load={
        <>
          {formatOccupancy(format, departure)}
          {quantity > 0 && <span class="arrived">{`${format.number(arrived)} arrived`}</span>}
          <svg
            class="seats"
            viewBox={`0 0 ${Math.max(1, capacity, booked)} 1`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <rect class="booked" width={booked} height={1} />
            <rect width={arrivedWidth} height={1} />
          </svg>
        </>
      }
    >
      <span class="tags">
        {isAtRisk && <span class="tag bad">Weather limit exceeded</span>}
        {minutesLeft <= boardingMinutes && minutesLeft > 0 && quantity > 0 && <span class="tag ok">Boarding</span>}
        {unpaid > 0 && (
          <span class="tag warn">
            {`${format.number(unpaid)} unpaid, `}
            <Amounts of={due} />
          </span>
        )}
      </span>
      <GuestNames departure={departure} />
      {notes !== "" && <span class="clip small" dir="auto">{notes}</span>}
    </DepartureRow>
  )
}

/** The guests' names, such as `Ada Lovelace (2), Grace Hopper (4) and 3 more`. */
const GuestNames = ({ departure: { guests, quantity } }: { readonly departure: DepartureList["data"][number] }) => {
  const { number } = usePage().format
  const names = guests.map(({ name, quantity }) => `${name} (${number(quantity)})`).join(", ")
  const otherCount = quantity - guests.reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <span class="clip soft small" dir="auto">
      {quantity === 0
        ? "No guests yet"
        : guests.length === 0
        ? "Held, not confirmed"
        : otherCount > 0
        ? `${names} and ${number(otherCount)} more`
        : names}
    </span>
  )
}

const minutesUntil = (now: number, start: string): number => (Date.parse(start) - now) / 60_000
