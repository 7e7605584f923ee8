import { dashboardDepartures, dashboardToday } from "@trailbook/core/booking"
import type { ConversationView } from "@trailbook/core/conversation"
import { offeringsList } from "@trailbook/core/offering"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { ProposalView } from "@trailbook/core/proposal"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { getNameInitial } from "../../ui/PlaceholderImage.tsx"
import { formatQuantity } from "../bookings/bookingText.tsx"
import { formatPaymentMethodTitle } from "../bookings/payments.tsx"
import { Amount, Button, Card, EmptyNote, Icon, Link } from "../kit/elements.tsx"
import { page, type PageContent, type PageContext, usePage } from "../kit/page.tsx"
import { formatAge, toDaySpan } from "../parts/dateTimes.ts"
import { DeparturesCard } from "./DeparturesCard.tsx"
import { isWeatherProposal, listReasons, RisksCard } from "./RisksCard.tsx"

export type TodayData = Operation.Output<typeof dashboardToday>

export type DepartureList = Operation.Output<typeof dashboardDepartures>

/** The number of days to look ahead for departures if there are none today. */
const maxNextDays = 14

/** The number of days, including today, for which unreached guests are listed. */
const unreachedDays = 7

/** The day at a glance: risks, departures, decisions to make, amounts due, and yesterday's payments and refunds. */
export const todayPage = page("", {
  *view(context) {
    const { clock: { today, zone }, format, isOwner, now, run } = context
    const unreached_to = toDaySpan(zone, today, unreachedDays).to
    const day = yield* run(dashboardToday, {
      ...toDaySpan(zone, today, 1),
      unreached_to,
      collected_from: isOwner ? Instant.format(zone.startOf(LocalDate.addDays(today, -1))) : undefined
    })
    const next = day.count > 0 ? [] : (yield* run(dashboardDepartures, {
      ...toDaySpan(zone, LocalDate.addDays(today, 1), maxNextDays),
      limit: 3,
      named: true
    })).data
    if (day.count + next.length === 0) {
      const offerings = yield* run(offeringsList, { limit: 1 })
      if (offerings.data.length === 0) return renderWelcome(context)
    }
    const { proposals, conversations } = yield* context.pendingCounts
    const weather = proposals.filter(isWeatherProposal)
    const otherProposals = proposals.filter((proposal) => !isWeatherProposal(proposal))
    const counts = `${formatQuantity(format, "class", day.quantity)}, ${
      day.count === 1 ? "1 departure" : `${format.number(day.count)} departures`
    }`
    return {
      title: "Today",
      lead: day.count === 0 ? format.longDay(now) : `${format.longDay(now)}: ${counts}`,
      actions: (
        <>
          <Button icon="printer" to={`/manifest?date=${LocalDate.format(today)}`}>Print today’s manifest</Button>
          <Button to={`/closures/new?date=${LocalDate.format(today)}`}>Close dates</Button>
        </>
      ),
      body: (
        <div class="two">
          <div class="stack">
            <RisksCard day={day} proposals={weather} />
            <DeparturesCard day={day} next={next} proposals={weather} />
          </div>
          <div class="stack">
            <PendingProposals proposals={otherProposals.slice(0, 3)} hasMore={otherProposals.length > 3} />
            <UnansweredConversations threads={conversations.slice(0, 5)} />
            <UnpaidBookings due={day.due} />
            {isOwner && <CollectedMoney collected={day.collected} />}
          </div>
        </div>
      )
    }
  }
})

/** Returns the page that is shown before the first offering exists, with a link to setup. */
const renderWelcome = ({ org }: PageContext): PageContent => ({
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

/** Today's bookings with the largest amounts due. */
const UnpaidBookings = ({ due: { count, data } }: Pick<TodayData, "due">) => {
  const { format } = usePage()
  return data.length === 0 ? null : (
    <Card id="unpaid" title="Unpaid today">
      {data.map(({ currency, due_cents, id, name, offering, quantity, starts_at }) => (
        <div class="row unbroken" key={id}>
          <div class="grow">
            <Link to={`/bookings/${id}`} dir="auto">{name}</Link>
            <p class="soft small" dir="auto">
              {`${format.time(starts_at)}, party of ${format.number(quantity)}, ${offering}`}
            </p>
          </div>
          <Button to={`/bookings/${id}/payments/new`} aria-label={`Record payment: ${name}`}>
            <Amount cents={due_cents} currency={currency} />
          </Button>
        </div>
      ))}
      {count > data.length && (
        <p class="pad soft small">
          {`And ${format.number(count - data.length)} more. Open a departure to see the amounts due.`}
        </p>
      )}
    </Card>
  )
}

/** The money received and returned on the previous local day, by method. */
const CollectedMoney = ({ collected }: Pick<TodayData, "collected">) => {
  const { clock: { today } } = usePage()
  const yesterday = LocalDate.format(LocalDate.addDays(today, -1))
  const currencies = [...new Set(collected.map(({ currency }) => currency))]
  return (
    <Card
      id="collected"
      title="Collected yesterday"
      headerEnd={
        <span class="end">
          <Link to={`/ledger?from=${yesterday}&to=${yesterday}`}>Payments</Link>{" "}
          <Link to="/reports/sales">Reports</Link>
        </span>
      }
    >
      {collected.length === 0 && <EmptyNote>No payments or refunds yesterday.</EmptyNote>}
      {currencies.map((currency) => {
        const rows = collected.filter((row) => row.currency === currency)
        const refunds = rows.reduce((sum, { refunds_cents }) => sum + refunds_cents, 0)
        return (
          <div class="pad stack tight" key={currency}>
            <p class="sum">
              <Amount cents={rows.reduce((sum, { net_cents }) => sum + net_cents, 0)} currency={currency} />
            </p>
            <dl class="ledger small">
              {rows.filter(({ payments_cents }) => payments_cents > 0).map(({ method, payments_cents }) => (
                <div key={method}>
                  <dt>{formatPaymentMethodTitle(method)}</dt>
                  <dd>
                    <Amount cents={payments_cents} currency={currency} />
                  </dd>
                </div>
              ))}
              {refunds > 0 && (
                <div>
                  <dt>Refunds</dt>
                  <dd>
                    <Amount cents={-refunds} currency={currency} />
                  </dd>
                </div>
              )}
            </dl>
          </div>
        )
      })}
    </Card>
  )
}

/** The ops agent's proposals that need approval. */
const PendingProposals = ({ hasMore, proposals }: {
  readonly proposals: ReadonlyArray<ProposalView>
  readonly hasMore: boolean
}) => {
  const { format } = usePage()
  return (
    <section class="card" aria-labelledby="waiting">
      <header>
        <Icon name="sparkles" />
        <h2 id="waiting">Needs your attention</h2>
        {hasMore && <Link class="end" to="/proposals">View all</Link>}
      </header>
      {proposals.length === 0 && <EmptyNote>No pending proposals.</EmptyNote>}
      {proposals.map((proposal) => (
        <Link class="row" to={`/proposals#${proposal.id}`} key={proposal.id}>
          <b class="grow" dir="auto">{proposal.title}</b>
          <span class="soft small waits">
            {listReasons(proposal).map((reason) => <span key={reason} dir="auto">{reason}</span>)}
            {proposal.expires_at !== null && <span>{`Decide by ${format.moment(proposal.expires_at)}`}</span>}
          </span>
        </Link>
      ))}
    </section>
  )
}

/** Conversations whose last message is from the guest. */
const UnansweredConversations = ({ threads }: { readonly threads: ReadonlyArray<ConversationView> }) => {
  const { format, now } = usePage()
  return (
    <section class="card" aria-labelledby="unanswered">
      <header>
        <Icon name="inbox" />
        <h2 id="unanswered">Unanswered messages</h2>
        <Link class="end" to="/inbox">Inbox</Link>
      </header>
      {threads.length === 0 && <EmptyNote>All messages have been answered.</EmptyNote>}
      {threads.map(({ customer, from_email, from_name, id, last_message, last_message_at }) => {
        const name = customer?.name || customer?.email || from_name || from_email || "A guest"
        return (
          <Link class="row unbroken" to={`/inbox/${id}`} key={id}>
            <span class="who" aria-hidden="true">{getNameInitial(name)}</span>
            <span class="grow">
              <b class="clip" dir="auto">{name}</b>
              <span class="clip soft small" dir="auto">{last_message?.body}</span>
            </span>
            <time class="soft small" dateTime={last_message_at}>{formatAge(format, now, last_message_at)}</time>
          </Link>
        )
      })}
    </section>
  )
}
