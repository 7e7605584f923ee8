import {
  dashboardBookingCounts,
  dashboardDepartures,
  dashboardUnreachedWithin
} from "@trailbook/core/booking/departureOperations"
import { offeringsList } from "@trailbook/core/offering/offeringOperations"
import { billingGet } from "@trailbook/core/org/orgOperations"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { UnreachedGuests } from "../departures/UnreachedGuests.tsx"
import { Button } from "../kit/elements.tsx"
import { type Content, page } from "../kit/page.tsx"
import type { PageContext } from "../Page.ts"
import { daySpan } from "../parts/moments.ts"
import { PendingProposals, UnansweredConversations } from "./PendingWork.tsx"
import { Tiles } from "./Tiles.tsx"
import { UpcomingDepartures } from "./UpcomingDepartures.tsx"

/** Days ahead, including today. */
const days = 4

/** Guests who were not reached are listed for this many days ahead, including today. */
const unreachedDays = 7

const perPage = 10

/** Days in the chart of new bookings. */
const madeDays = 7

/** Morning overview: departures, pending work, and key figures. */
export const today = page("", {
  *view(asked) {
    const { clock: { stamp, today, zone }, query, run, shown: { format } } = asked
    const at = Math.min(Number(/^\d{1,3}$/.exec(query("page") ?? "")?.[0] ?? "1"), 80) || 1
    const coming = yield* run(dashboardDepartures, {
      ...daySpan(zone, today, days),
      skip: (at - 1) * perPage,
      limit: perPage,
      named: true
    })
    if (coming.departures === 0) {
      const offerings = yield* run(offeringsList, { limit: 1 })
      if (offerings.data.length === 0) return fresh(asked)
    }
    const made = yield* run(dashboardBookingCounts, { days: madeDays })
    const billing = yield* run(billingGet, {})
    const { data: unreached } = yield* run(dashboardUnreachedWithin, {
      from: stamp,
      to: daySpan(zone, today, unreachedDays).to
    })
    const { proposals, threads } = yield* asked.waiting
    return {
      title: "Today",
      lead: format.longDay(stamp),
      actions: (
        <>
          <Button icon="printer" to={`/manifest?date=${LocalDate.format(today)}`}>
            Print today’s manifest
          </Button>
          <Button to={`/closures/new?date=${LocalDate.format(today)}`}>Close dates</Button>
        </>
      ),
      body: (
        <>
          {unreached.length > 0 && <UnreachedGuests shown={asked.shown} guests={unreached} hasTrip />}
          <Tiles coming={coming} days={days} made={made.data} billing={billing} />
          <div class="two">
            <UpcomingDepartures coming={coming} at={at} perPage={perPage} days={days} />
            <div class="stack">
              <PendingProposals shown={asked.shown} proposals={proposals.slice(0, 3)} hasMore={proposals.length > 3} />
              <UnansweredConversations shown={asked.shown} now={stamp} threads={threads.slice(0, 5)} />
            </div>
          </div>
        </>
      )
    }
  }
})

/** Shown before the first offering exists, with a link to the setup. */
const fresh = ({ org }: PageContext): Content => ({
  title: "Welcome",
  lead: <span dir="auto">{org.name}</span>,
  body: (
    <section class="card pad stack narrow" aria-label="Next steps">
      <p>Set up your first activity so that guests can book. It takes about two minutes:</p>
      <ol class="numbered stack tight">
        <li>Add an activity: name, duration, and price.</li>
        <li>Set when it runs: weekly hours or scheduled departures.</li>
        <li>Share your booking page or add it to your website.</li>
      </ol>
      <p>
        <Button look="main" to="/setup">Set up your first activity</Button>
      </p>
    </section>
  )
})
