import { conversationsList } from "@trailbook/core/conversation/conversationOperations"
import type { ConversationView } from "@trailbook/core/conversation/ConversationView"
import * as Effect from "effect/Effect"
import { Pager } from "../kit/elements.tsx"
import type { DashboardContext, PageContext } from "../Page.ts"
import { age } from "../parts/age.ts"
import { momentText } from "../parts/moments.ts"
import { conversationGuest } from "./conversationGuest.ts"

/** Filter of the inbox. */
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

/** Path of an inbox page with the same filter. */
export const inboxPath = (path: `/dashboard/inbox${string}`, wanted: InboxFilter): `/${string}` => {
  const all = new URLSearchParams({
    ...wanted.status === "done" ? { status: "done" } : {},
    ...wanted.unread ? { unread: "1" } : {},
    ...wanted.q === undefined ? {} : { q: wanted.q },
    ...wanted.cursor === undefined ? {} : { cursor: wanted.cursor }
  }).toString()
  return all === "" ? path : `${path}?${all}`
}

const atOnce = 30

/** Reads a page of the inbox, with the time it was read. */
export const loadConversationList = ({ clock, run }: PageContext, { cursor, q, status, unread }: InboxFilter) =>
  Effect.map(
    run(conversationsList, {
      status,
      limit: atOnce,
      ...unread ? { unread: true } : {},
      ...q === undefined ? {} : { q },
      ...cursor === undefined ? {} : { cursor }
    }),
    ({ data, next_cursor }) => ({ data, next: next_cursor, now: clock.stamp })
  )

export type LoadedConversations = Effect.Effect.Success<ReturnType<typeof loadConversationList>>

/** Conversations, unanswered ones first. */
export const Threads = ({ chosen, list, shown, wanted }: {
  readonly shown: DashboardContext
  readonly list: LoadedConversations
  readonly wanted: InboxFilter
  /** ID of the conversation that is open next to the list. */
  readonly chosen?: string
}) => (
  <>
    <ul class="threads">
      {list.data.map((thread) => (
        <li key={thread.id}>
          <a
            href={shown.site.link(inboxPath(`/dashboard/inbox/${thread.id}`, wanted))}
            aria-current={thread.id === chosen ? "page" : undefined}
          >
            <span class="line">
              <b class="clip" dir="auto">{conversationGuest(thread).name}</b>
              {thread.unread && (
                <span class="dot">
                  <span class="sr">unread</span>
                </span>
              )}
              <time class="soft small" dateTime={thread.last_message_at}>
                {age(shown.format, list.now, thread.last_message_at)}
              </time>
            </span>
            <span class="clip soft" dir="auto">{saidLast(thread)}</span>
            <Standing thread={thread} now={list.now} shown={shown} />
          </a>
        </li>
      ))}
    </ul>
    <Pager
      back={wanted.cursor !== undefined && ["First", pageOf(shown, wanted, undefined)]}
      more={list.next !== undefined && ["More", pageOf(shown, wanted, list.next)]}
    />
  </>
)

const pageOf = ({ site }: DashboardContext, wanted: InboxFilter, cursor: string | undefined): string =>
  site.link(inboxPath("/dashboard/inbox", { ...wanted, cursor }))

const saidLast = ({ last_message }: ConversationView): string => {
  if (last_message === null) return ""
  const { body, direction } = last_message
  return `${direction === "to_guest" ? "You: " : ""}${body.replaceAll(/\s+/g, " ")}`
}

const Standing = ({ now, shown: { format }, thread }: {
  readonly thread: ConversationView
  readonly now: string
  readonly shown: DashboardContext
}) => {
  const { customer, needs_reply, snoozed_until, status } = thread
  const isSnoozed = snoozed_until !== null && snoozed_until > now
  if (!needs_reply && !isSnoozed && customer !== null) return null
  return (
    <span class="tags">
      {needs_reply && status === "open" && !isSnoozed && <span class="tag warn">Needs reply</span>}
      {isSnoozed && <span class="tag">Snoozed until {momentText(format, snoozed_until)}</span>}
      {customer === null && <span class="tag info">Has not booked</span>}
    </span>
  )
}
