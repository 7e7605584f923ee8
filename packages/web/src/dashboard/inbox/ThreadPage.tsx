import { bookingsGet } from "@trailbook/core/booking/bookingOperations"
import { conversationsUpdate } from "@trailbook/core/conversation/conversationOperations"
import { messagesDraft, messagesSend } from "@trailbook/core/conversation/message/messageOperations"
import { savedRepliesList } from "@trailbook/core/conversation/saved-reply/savedReplyOperations"
import { dashboardThread } from "@trailbook/core/operation/dashboardOperations"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import { Button } from "../kit/elements.tsx"
import type { FormAction, PageContext, PageView } from "../Page.ts"
import { Composer, type ComposerState, insertSavedReply, messageIn, parseComposer, replaceText } from "./Composer.tsx"
import { conversationGuest } from "./conversationGuest.ts"
import { inboxPath, loadConversationList, parseInboxFilter, Threads } from "./ConversationList.tsx"
import { GuestSidebar } from "./GuestSidebar.tsx"
import { snoozedUntil } from "./snooze.ts"
import { ThreadEntry } from "./ThreadEntry.tsx"

/** Scroll containers must be focusable for keyboard users. */
const reachable = { tabIndex: 0 }

const fewRows = 40
const mostRows = 500

/** A conversation, between the list and the guest sidebar. */
export const view: PageView = (asked) => shownWith(asked, parseComposer(asked))

const shownWith = (asked: PageContext, typed: ComposerState): ReturnType<PageView> =>
  Effect.gen(function*() {
    const { clock, param, query, run, shown } = asked
    const wanted = parseInboxFilter(asked)
    const rows = query("rows") === undefined ? fewRows : mostRows
    const id = param("id")
    const [thread, list, { data: replies }] = yield* Effect.all([
      run(dashboardThread, { id, rows }),
      loadConversationList(asked, wanted),
      run(savedRepliesList, { conversation_id: id })
    ], { concurrency: "unbounded" })
    const booking = thread.booking === null ? undefined : yield* run(bookingsGet, { id: thread.booking.id })
    const { isErased, name } = conversationGuest(thread)
    const isSnooze = typed.form["snooze"] !== undefined
    return {
      title: name,
      part: "inbox",
      script: "inbox",
      lead: <a href={shown.site.link(inboxPath("/dashboard/inbox", wanted))}>Back to the inbox</a>,
      body: (
        <div class="inbox card">
          <nav class="side-list" aria-label="Conversations">
            <Threads shown={shown} list={list} wanted={wanted} chosen={thread.id} />
          </nav>
          <div class="middle">
            <section class="last" aria-label="Conversation" {...reachable}>
              <div>
                {thread.has_earlier && <Earlier asked={asked} rows={rows} />}
                <ol class="said" data-read={thread.unread ? thread.last_message_at : undefined}>
                  {thread.thread.map((row) => (
                    <ThreadEntry
                      key={`${row.type} ${row.at} ${row.message?.id}`}
                      shown={shown}
                      thread={thread}
                      row={row}
                    />
                  ))}
                </ol>
              </div>
            </section>
            {isErased
              ? <p class="pad soft">This guest was erased and cannot receive messages.</p>
              : (
                <Composer
                  to={`Write to ${name}`}
                  drafts={thread.drafts}
                  typed={isSnooze ? { form: {} } : typed}
                  replies={replies}
                />
              )}
          </div>
          <GuestSidebar
            shown={shown}
            thread={thread}
            booking={booking}
            now={clock.now}
            wrong={isSnooze ? typed.wrong : undefined}
          />
        </div>
      )
    }
  })

const Earlier = ({ asked: { param, shown: { site }, ...asked }, rows }: {
  readonly asked: PageContext
  readonly rows: number
}) =>
  rows === mostRows
    ? <p class="soft small">{`The newest ${mostRows} messages are shown. The data export contains all of them.`}</p>
    : (
      <p>
        <Button icon="chevron-left" href={site.link(earlierPath(param("id"), asked))}>
          Show earlier messages
        </Button>
      </p>
    )

const earlierPath = (id: string, asked: Pick<PageContext, "query">): `/${string}` => {
  const path = inboxPath(`/dashboard/inbox/${id}`, parseInboxFilter(asked))
  return `${path}${path.includes("?") ? "&" : "?"}rows=${mostRows}`
}

export const act: FormAction = (asked) => {
  const { clock, form, param, run, shown: { org } } = asked
  const id = param("id")
  const here = `/dashboard/inbox/${id}` as const
  const mark = (change: Omit<Parameters<typeof run<typeof conversationsUpdate>>[1], "id">) =>
    run(conversationsUpdate, { id, ...change })
  if (form["snooze"] !== undefined) {
    return Effect.gen(function*() {
      const until = yield* snoozedUntil(form, org.timezone, clock.now)
      yield* mark({ snoozed_until: Instant.format(until) })
      return withFlash("/dashboard/inbox", "snoozed")
    })
  }
  switch (form["do"]) {
    case "done":
      return Effect.as(mark({ status: "done" }), withFlash("/dashboard/inbox", "closed"))
    case "open":
      return Effect.as(mark({ status: "open" }), withFlash(here, "opened"))
    case "read":
      return Effect.as(mark({ read: true }), here)
    case "unread":
      return Effect.as(mark({ read: false }), withFlash("/dashboard/inbox", "unread"))
    case "wake":
      return Effect.as(mark({ snoozed_until: null }), withFlash(here, "woken"))
    case "insert":
      return Effect.flatMap(
        run(savedRepliesList, { conversation_id: id }),
        ({ data }) =>
          shownWith(asked, insertSavedReply(form, data, "Filled in for this guest. Read it before you send it."))
      )
    case "draft":
      return Effect.flatMap(
        run(messagesDraft, { conversation_id: id }),
        ({ text }) =>
          shownWith(asked, {
            form: replaceText(form, text),
            said: "A language model wrote this draft. Read it before you send it."
          })
      )
    default:
      return Effect.as(
        run(messagesSend, { conversation_id: id, ...messageIn(form) }),
        withFlash(here, form["do"] === "note" ? "noted" : "sent")
      )
  }
}
