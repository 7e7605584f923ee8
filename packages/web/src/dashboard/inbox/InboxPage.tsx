/** The inbox: its conversations, and the list of them next to an open conversation. */
import { conversationsList, type ConversationView } from "@trailbook/core/conversation"
import * as Effect from "effect/Effect"
import { omitUndefined } from "../../operationCaller.ts"
import { getGuestName, isErased } from "../bookings/bookingText.tsx"
import { Button, EmptyNote, HiddenFields, Icon, Pager } from "../kit/elements.tsx"
import { getPageUrl, page, type PageContext, usePage } from "../kit/page.tsx"
import { formatAge } from "../parts/dateTimes.ts"

/** All conversations, unanswered first. */
export const inboxPage = page("/inbox", {
  *view(context) {
    const filter = parseInboxFilter(context)
    const list = yield* loadConversationList(context, filter)
    return {
      title: "Inbox",
      script: "inbox",
      lead: leadText(filter, list),
      actions: (["open", "done"] as const).map((status) => (
        <a
          key={status}
          class="btn plain"
          href={context.site.link(buildInboxPath("/dashboard/inbox", { ...filter, status, cursor: undefined }))}
          aria-current={filter.status === status ? "true" : undefined}
        >
          {status === "open" ? "Open" : "Done"}
        </a>
      )),
      body: (
        <div class="stack">
          <search class="find">
            <form action={getPageUrl(context)} class="acts">
              <span class="search">
                <Icon name="search" />
                <input
                  name="q"
                  type="search"
                  maxLength={200}
                  value={filter.q}
                  data-search=""
                  aria-label="Search the inbox"
                  placeholder="Name, email, or message text"
                />
              </span>
              <HiddenFields values={{ status: filter.status }} />
              <label class="option">
                <input type="checkbox" name="unread" value="1" checked={filter.unread} />
                Unread only
              </label>
              <button class="btn">Search</button>
            </form>
          </search>
          <section class="card" aria-label="Conversations">
            {list.data.length === 0
              ? <EmptyNote>{emptyText(filter)}</EmptyNote>
              : <ConversationList list={list} filter={filter} />}
          </section>
          <p class="acts">
            <Button icon="send" to="/broadcast">Group message</Button>
            <Button to="/inbox/saved">Saved replies</Button>
          </p>
        </div>
      )
    }
  }
})

const leadText = ({ cursor, q, status, unread }: InboxFilter, { data, next }: LoadedConversations): string => {
  if (q !== undefined) return `Results for “${q}”`
  if (status === "done") return "Done"
  if (unread || cursor !== undefined) return "Newest first"
  const waitingCount = data.filter(({ needs_reply }) => needs_reply).length
  // Unanswered conversations come first. If they fill this page, the next page may contain more.
  return waitingCount === data.length && next !== undefined
    ? `More than ${waitingCount} messages need a reply`
    : waitingCount === 0
    ? "No messages need a reply"
    : `${waitingCount} ${waitingCount === 1 ? "message needs" : "messages need"} a reply`
}

const emptyText = ({ q, status, unread }: InboxFilter): string => {
  if (q !== undefined) return "No conversations match. Try part of the guest's name or email."
  if (unread) return "No unread conversations."
  return status === "done"
    ? "No conversations are marked done."
    : "No messages yet. Messages that guests send from your booking pages or by email appear here."
}

interface InboxFilter {
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

type LoadedConversations = Effect.Effect.Success<ReturnType<typeof loadConversationList>>

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
      {isSnoozed && <span class="tag">Snoozed until {format.moment(snoozed_until)}</span>}
      {customer === null && <span class="tag info">No booking yet</span>}
    </span>
  )
}

/**
 * Returns the guest's display name and contact details. For a guest without a booking, the name and address come from
 * the question.
 */
export const getConversationGuest = ({ customer, from_email, from_name }: ConversationView) => {
  const name = customer?.name ?? from_name ?? ""
  const email = customer?.email ?? from_email ?? ""
  const guest = { name, email, phone: customer?.phone ?? "" }
  return { isErased: isErased(guest), ...guest, name: getGuestName(guest) }
}
