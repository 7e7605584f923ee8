import { conversationsList, type ConversationView } from "@trailbook/core/conversation"
import * as Effect from "effect/Effect"
import { omitUndefined } from "../../runOperation.ts"
import { Pager } from "../kit/elements.tsx"
import { type PageContext, usePage } from "../Page.ts"
import { formatAge, formatMoment } from "../parts/dateTimes.ts"
import { getConversationGuest } from "./getConversationGuest.ts"

export interface InboxFilter {
  readonly status: "open" | "done"
  readonly unread: boolean
  readonly q: string | undefined
  readonly cursor: string | undefined
}

export const parseInboxFilter = ({ query }: Pick<PageContext, "query">): InboxFilter => ({
  status: query("status") === "done" ? "done" : "open",
  unread: query("unread") === "1",
  q: query("q")?.slice(0, 200),
  cursor: query("cursor")
})

/** Returns the path to an inbox page with the same filter. */
export const buildInboxPath = (path: `/dashboard/inbox${string}`, filter: InboxFilter): `/${string}` => {
  const queryText = new URLSearchParams(omitUndefined({
    status: filter.status === "done" ? "done" : undefined,
    unread: filter.unread ? "1" : undefined,
    q: filter.q,
    cursor: filter.cursor
  })).toString()
  return queryText === "" ? path : `${path}?${queryText}`
}

const pageSize = 30

/** Loads a page of the inbox. */
export const loadConversationList = ({ run }: PageContext, { cursor, q, status, unread }: InboxFilter) =>
  Effect.map(
    run(conversationsList, {
      status,
      limit: pageSize,
      unread: unread || undefined,
      q,
      cursor
    }),
    ({ data, next_cursor }) => ({ data, next: next_cursor })
  )

export type LoadedConversations = Effect.Effect.Success<ReturnType<typeof loadConversationList>>

/** Conversations, unanswered first. */
export const ConversationList = ({ chosen, list, filter }: {
  readonly list: LoadedConversations
  readonly filter: InboxFilter
  /** The ID of the conversation that is open next to the list. */
  readonly chosen?: string
}) => {
  const { format, now, site } = usePage()
  const pageUrl = (cursor: string | undefined) => site.link(buildInboxPath("/dashboard/inbox", { ...filter, cursor }))
  return (
    <>
      <ul class="threads">
        {list.data.map((thread) => (
          <li key={thread.id}>
            <a
              href={site.link(buildInboxPath(`/dashboard/inbox/${thread.id}`, filter))}
              aria-current={thread.id === chosen ? "page" : undefined}
            >
              <span class="line">
                <b class="clip" dir="auto">{getConversationGuest(thread).name}</b>
                {thread.unread && (
                  <span class="dot">
                    <span class="sr">unread</span>
                  </span>
                )}
                <time class="soft small" dateTime={thread.last_message_at}>
                  {formatAge(format, now, thread.last_message_at)}
                </time>
              </span>
              <span class="clip soft" dir="auto">{lastMessageText(thread)}</span>
              <StatusTags thread={thread} />
            </a>
          </li>
        ))}
      </ul>
      <Pager
        back={filter.cursor !== undefined && ["First", pageUrl(undefined)]}
        more={list.next !== undefined && ["More", pageUrl(list.next)]}
      />
    </>
  )
}

const lastMessageText = ({ last_message }: ConversationView): string => {
  if (last_message === null) return ""
  const { body, direction } = last_message
  return `${direction === "to_guest" ? "You: " : ""}${body.replaceAll(/\s+/g, " ")}`
}

const StatusTags = ({ thread }: { readonly thread: ConversationView }) => {
  const { format, now } = usePage()
  const { customer, needs_reply, snoozed_until, status } = thread
  const isSnoozed = snoozed_until !== null && snoozed_until > now
  if (!needs_reply && !isSnoozed && customer !== null) return null
  return (
    <span class="tags">
      {needs_reply && status === "open" && !isSnoozed && <span class="tag warn">Needs reply</span>}
      {isSnoozed && <span class="tag">Snoozed until {formatMoment(format, snoozed_until)}</span>}
      {customer === null && <span class="tag info">No booking yet</span>}
    </span>
  )
}
