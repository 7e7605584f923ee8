import { dashboardDepartures, dashboardToday } from "@trailbook/core/booking"
import { offeringsList } from "@trailbook/core/offering"
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { partyText } from "../bookings/facts.tsx"
import { Button } from "../kit/elements.tsx"
import { type Content, page } from "../kit/page.tsx"
import type { PageContext } from "../Page.ts"
import { daySpan } from "../parts/moments.ts"
import { Departures } from "./Departures.tsx"
import { Collected, Unpaid } from "./Money.tsx"
import { PendingProposals, UnansweredConversations } from "./PendingWork.tsx"
import { isAboutWeather, Risks } from "./Risks.tsx"

export type Day = Operation.Output<typeof dashboardToday>

export type DepartureList = Operation.Output<typeof dashboardDepartures>

/** If there are no departures today, the next departures within this many days are shown. */
const nextDays = 14

/** Lists unreached guests for this many days ahead, including today. */
const unreachedDays = 7

/** The day at a glance: risks, departures, decisions to make, amounts due, and yesterday's payments and refunds. */
export const today = page("", {
  *view(context) {
    const { clock: { stamp, today, zone }, format, isOwner, run } = context
    const unreached_to = daySpan(zone, today, unreachedDays).to
    const day = yield* run(dashboardToday, {
      ...daySpan(zone, today, 1),
      unreached_to,
      collected_from: isOwner ? Instant.format(zone.startOf(LocalDate.addDays(today, -1))) : undefined
    })
    const next = day.count > 0 ? [] : (yield* run(dashboardDepartures, {
      ...daySpan(zone, LocalDate.addDays(today, 1), nextDays),
      limit: 3,
      named: true
    })).data
    if (day.count + next.length === 0) {
      const offerings = yield* run(offeringsList, { limit: 1 })
      if (offerings.data.length === 0) return fresh(context)
    }
    const { proposals, threads } = yield* context.waiting
    const weather = proposals.filter(isAboutWeather)
    const otherProposals = proposals.filter((proposal) => !isAboutWeather(proposal))
    const counts = `${partyText(format, "class", day.quantity)}, ${
      day.count === 1 ? "1 departure" : `${format.number(day.count)} departures`
    }`
    return {
      title: "Today",
      lead: day.count === 0 ? format.longDay(stamp) : `${format.longDay(stamp)}: ${counts}`,
      actions: (
        <>
          <Button icon="printer" to={`/manifest?date=${LocalDate.format(today)}`}>
            Print today’s manifest
          </Button>
          <Button to={`/closures/new?date=${LocalDate.format(today)}`}>Close dates</Button>
        </>
      ),
      body: (
        <div class="two">
          <div class="stack">
            <Risks day={day} proposals={weather} />
            <Departures day={day} next={next} proposals={weather} />
          </div>
          <div class="stack">
            <PendingProposals proposals={otherProposals.slice(0, 3)} hasMore={otherProposals.length > 3} />
            <UnansweredConversations threads={threads.slice(0, 5)} />
            <Unpaid due={day.due} />
            {isOwner && <Collected collected={day.collected} />}
          </div>
        </div>
      )
    }
  }
})

/** Returns the page that is shown before the first offering exists, with a link to setup. */
const fresh = ({ org }: PageContext): Content => ({
  title: "Welcome",
  lead: <span dir="auto">{org.name}</span>,
  body: (
    <section class="card pad stack narrow" aria-label="Next steps">
      <p>Set up your first activity so that guests can book. It takes about 2 minutes:</p>
      <ol class="numbered stack tight">
        <li>Add an activity: name, duration, and price.</li>
        <li>Set the times: weekly hours or scheduled departures.</li>
        <li>Share your booking page or add it to your website.</li>
      </ol>
      <p>
        <Button look="main" to="/setup">Set up your first activity</Button>
      </p>
    </section>
  )
})
