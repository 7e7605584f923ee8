import type { ConversationView } from "@trailbook/core/conversation"
import type { ProposalView } from "@trailbook/core/proposal"
import { getNameInitial } from "../../ui/PlaceholderImage.tsx"
import { EmptyNote, Icon, Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"
import { formatAge } from "../parts/dateTimes.ts"

/** The ops agent's proposals that need approval. */
export const PendingProposals = ({ hasMore, proposals }: {
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
      {proposals.map(({ actions, data, expires_at, id, title }) => (
        <Link class="row" to={`/proposals#${id}`} key={id}>
          <b class="grow" dir="auto">{title}</b>
          <span class="soft small waits">
            {actions.map((action) => readReason(action.facts) ?? readReason(data)).filter(isFirstOccurrence).slice(0, 2)
              .map((
                reason
              ) => <span key={reason} dir="auto">{reason}</span>)}
            {expires_at !== null && <span>{`Decide by ${format.day(expires_at)}, ${format.time(expires_at)}`}</span>}
          </span>
        </Link>
      ))}
    </section>
  )
}

export const readReason = ({ reason }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof reason === "string" ? reason : undefined

export const isFirstOccurrence = (
  reason: string | undefined,
  at: number,
  all: ReadonlyArray<string | undefined>
): reason is string => reason !== undefined && all.indexOf(reason) === at

/** Conversations whose last message is from the guest. */
export const UnansweredConversations = ({ threads }: { readonly threads: ReadonlyArray<ConversationView> }) => {
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
