/** Today's risks, worst first. A phone shows the first row and a link to the rest. */
import type { ProposalView } from "@trailbook/core/proposal"
import type { ComponentChildren } from "preact"
import type { IconName } from "../../assets/generated.ts"
import { UnreachedGuestList } from "../departures/departureParts.tsx"
import { Amount, Amounts, Button, Icon } from "../kit/elements.tsx"
import { type DashboardPath, type PageContext, usePage } from "../Page.ts"
import type { TodayData } from "./TodayPage.tsx"

interface Risk {
  readonly key: string
  readonly icon: IconName
  /** Whether guests could lose their trip. */
  readonly isGrave?: true
  readonly title: ComponentChildren
  readonly text: ComponentChildren
  readonly action?: readonly [label: string, link: { readonly to: DashboardPath } | { readonly href: string }]
}

/**
 * Whether a proposal is about trips that exceed their weather or river limits. Such proposals are listed only as risks.
 */
export const isWeatherProposal = ({ data }: Pick<ProposalView, "data">): boolean => Array.isArray(data["broken"])

/** Orders the risks by urgency: weather, failed emails, balances due, balances owed, and holds. */
const listRisks = (
  { clock, format, isOwner }: PageContext,
  { due, holds, owed, unreached }: TodayData,
  proposals: ReadonlyArray<ProposalView>
): ReadonlyArray<Risk> => [
  ...proposals.map((proposal): Risk => ({
    key: proposal.id,
    icon: "triangle-alert",
    isGrave: true,
    title: proposal.title,
    text: [
      ...listReasons(proposal),
      ...proposal.expires_at === null ? [] : [`Decide by ${format.moment(proposal.expires_at)}.`]
    ].join(" "),
    action: ["Review", { to: `/proposals#${proposal.id}` }]
  })),
  ...unreached.length === 0 ? [] : [
    {
      key: "unreached",
      icon: "message-square",
      title: undefined,
      text: <UnreachedGuestList guests={unreached} hasTrip />
    } as const
  ],
  ...([["due", due], ["owed", owed]] as const).flatMap(([kind, { amounts, count, data }]): ReadonlyArray<Risk> => {
    const [largest] = data
    if (largest === undefined) return []
    return [{
      key: kind,
      icon: "wallet",
      title: (
        <>
          <Amounts of={amounts} />
          {` ${kind === "due" ? "due from guests" : "owed to guests"} today (${
            count === 1 ? "1 booking" : `${format.number(count)} bookings`
          })`}
        </>
      ),
      text: (
        <>
          {count > 1 && "Largest: "}
          <span dir="auto">{largest.name}</span>
          {", "}
          <Amount cents={largest[`${kind}_cents`]} currency={largest.currency} />
          {` at ${format.time(largest.starts_at)}.`}
        </>
      ),
      action: kind === "due"
        ? ["See all", { href: "#unpaid" }]
        : isOwner
        ? ["Refund", { to: `/bookings/${largest.id}/refunds/new` }]
        : ["Open", { to: `/bookings/${largest.id}` }]
    }]
  }),
  ...holds.map(({ expires_at, id, name, offering, quantity, starts_at }): Risk => {
    const minutes = Math.max(1, Math.ceil((Date.parse(expires_at ?? "") - clock.now) / 60_000))
    return {
      key: id,
      icon: "bell",
      title: `Hold for ${format.number(quantity)} expires in ${minutes === 1 ? "1 minute" : `${minutes} minutes`}`,
      text: <span dir="auto">{`${name}, ${offering}, ${format.moment(starts_at)}`}</span>,
      action: ["Open", { to: `/bookings/${id}` }]
    }
  })
]

export const RisksCard = ({ day, proposals }: {
  readonly day: TodayData
  /** Proposals about the weather. */
  readonly proposals: ReadonlyArray<ProposalView>
}) => {
  const page = usePage()
  const risks = listRisks(page, day, proposals)
  if (risks.length === 0) {
    return (
      <section class="card row" aria-labelledby="risks">
        <Icon name="check" />
        <div class="grow">
          <h2 id="risks">Nothing at risk</h2>
          <p class="soft small">
            There are no weather alerts, undelivered emails, unpaid balances, or holds about to expire.
          </p>
        </div>
      </section>
    )
  }
  const moreCount = risks.length - 1
  return (
    <section class="card risks" id="risk" aria-labelledby="risks">
      <header>
        <h2 id="risks">
          {risks.length === 1 ? "1 item at risk" : `${page.format.number(risks.length)} items at risk`}
        </h2>
      </header>
      {risks.map(({ action, icon, isGrave = false, key, text, title }) => (
        <div class="row unbroken" key={key}>
          <span class={isGrave ? "bad" : undefined}>
            <Icon name={icon} />
          </span>
          <div class="grow">
            {title !== undefined && <b dir="auto">{title}</b>}
            <div class="soft small">{text}</div>
          </div>
          {action !== undefined && <Button look={isGrave ? "grave" : "end"} {...action[1]}>{action[0]}</Button>}
        </div>
      ))}
      {moreCount > 0 && <a class="row more-risks" href="#risk">{moreCount === 1 ? "1 more" : `${moreCount} more`}</a>}
    </section>
  )
}

/** Returns the first reasons of a proposal's actions, each once. */
export const listReasons = ({ actions, data }: Pick<ProposalView, "actions" | "data">): ReadonlyArray<string> => {
  const readReason = ({ reason }: Readonly<Record<string, unknown>>) => typeof reason === "string" ? reason : undefined
  return [...new Set(actions.flatMap(({ facts }) => readReason(facts) ?? readReason(data) ?? []))].slice(0, 2)
}
