import { Button, EmptyNote, Icon } from "../kit/elements.tsx"
import { getPageUrl, page } from "../kit/page.tsx"
import { usePage } from "../Page.ts"
import {
  buildInboxPath,
  ConversationList,
  type InboxFilter,
  loadConversationList,
  type LoadedConversations,
  parseInboxFilter
} from "./ConversationList.tsx"

/** All conversations, unanswered first. */
export const inboxPage = page("/inbox", {
  *view(context) {
    const filter = parseInboxFilter(context)
    const list = yield* loadConversationList(context, filter)
    return {
      title: "Inbox",
      script: "inbox",
      lead: leadText(filter, list),
      actions: <StatusLinks filter={filter} />,
      body: (
        <div class="stack">
          <SearchForm filter={filter} />
          <section class="card" aria-label="Conversations">
            {list.data.length === 0 ?
              <EmptyNote>{emptyText(filter)}</EmptyNote> :
              <ConversationList list={list} filter={filter} />}
          </section>
          <p class="acts">
            <Button icon="send" to="/broadcast">
              Group message
            </Button>
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

/** Links to open and closed conversations. */
const StatusLinks = ({ filter }: { readonly filter: InboxFilter }) => {
  const { site } = usePage()
  return (
    <>
      {(["open", "done"] as const).map((status) => (
        <a
          key={status}
          class="btn plain"
          href={site.link(buildInboxPath("/dashboard/inbox", { ...filter, status, cursor: undefined }))}
          aria-current={filter.status === status ? "true" : undefined}
        >
          {status === "open" ? "Open" : "Done"}
        </a>
      ))}
    </>
  )
}

const SearchForm = ({ filter }: { readonly filter: InboxFilter }) => (
  <search class="find">
    <form action={getPageUrl(usePage())} class="acts">
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
      <input type="hidden" name="status" value={filter.status} />
      <label class="option">
        <input type="checkbox" name="unread" value="1" checked={filter.unread} />
        Unread only
      </label>
      <button class="btn">Search</button>
    </form>
  </search>
)
