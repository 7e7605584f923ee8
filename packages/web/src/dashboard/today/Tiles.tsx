import type { BillingView } from "@trailbook/core/billing/Billing"
import type { dashboardBookingCounts, dashboardDepartures } from "@trailbook/core/booking/departureOperations"
import type { Operation } from "@trailbook/core/operation/Operation"
import { Tile } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"

type Made = Operation.Output<typeof dashboardBookingCounts>["data"]

/** Output of the departures operation. */
export type DepartureList = Operation.Output<typeof dashboardDepartures>

/** Key figures of the day. */
export const Tiles = ({ billing, coming, days, made }: {
  readonly coming: DepartureList
  readonly days: number
  readonly made: Made
  readonly billing: BillingView
}) => {
  const { format } = usePage()
  const more = coming.is_cut ? "+" : ""
  const { cap, used } = billing.usage
  const isFree = billing.plan === "free"
  const all = made.reduce((sum, { bookings }) => sum + bookings, 0)
  return (
    <dl class="tiles">
      <Tile name={`Guests in the next ${days} days`}>{format.number(coming.quantity) + more}</Tile>
      <Tile name={`Departures in the next ${days} days`}>{format.number(coming.departures) + more}</Tile>
      <Tile name={`Bookings made in the last ${made.length} days`}>
        {format.number(all)}
        <Bars made={made} />
      </Tile>
      <Tile name={isFree ? "Plan usage this month" : "Bookings this month"}>
        {format.number(used)} {isFree && <small>{`of ${format.number(cap)}`}</small>}
        {isFree && <Used used={used} cap={cap} />}
      </Tile>
    </dl>
  )
}

/** Bookings continue above the cap, so this is not a warning. */
const Used = ({ cap, used }: { readonly used: number; readonly cap: number }) => (
  <>
    <progress class="meter" max={cap} value={Math.min(used, cap)} aria-label="Plan usage" />
    {used >= cap && <small class="soft">Guests can still book.</small>}
  </>
)

const height = 24

/** Bar chart with one bar per day, ending today. */
const Bars = ({ made }: { readonly made: Made }) => {
  const most = Math.max(1, ...made.map(({ bookings }) => bookings))
  const said = made.map(({ bookings }) => bookings).join(", ")
  return (
    <>
      <span class="sr">{`Bookings per day, ending today: ${said}`}</span>
      <svg class="bars" viewBox={`0 0 ${made.length * 9} ${height}`} aria-hidden="true">
        {made.map(({ bookings, date }, at) => {
          const tall = bookings === 0 ? 1.5 : Math.max(3, Math.round((height * bookings) / most))
          return <rect key={date} x={at * 9} y={height - tall} width={6} height={tall} rx={1.5} />
        })}
      </svg>
    </>
  )
}
