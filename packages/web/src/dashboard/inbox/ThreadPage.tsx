/** A conversation, and the page to erase a question from a person without a booking. */
import { invalid, type Refusal } from "@trailbook/core"
import { bookingsGet } from "@trailbook/core/booking"
import {
  conversationsDelete,
  conversationsGet,
  conversationsUpdate,
  messagesDraft,
  messagesSend,
  savedRepliesList
} from "@trailbook/core/conversation"
import { dashboardThread } from "@trailbook/core/operation"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Button, ErrorNote, ScrollContainer } from "../kit/elements.tsx"
import { confirmPage, page, type PageContent, type PageContext, redirectTo, usePage } from "../kit/page.tsx"
import { parseDateTimeLocal } from "../parts/dateTimes.ts"
import {
  appendText,
  Composer,
  type ComposerState,
  insertSavedReply,
  parseComposer,
  toMessageInput
} from "./Composer.tsx"
import { GuestSidebar } from "./GuestSidebar.tsx"
import {
  buildInboxPath,
  ConversationList,
  getConversationGuest,
  loadConversationList,
  parseInboxFilter
} from "./InboxPage.tsx"
import { ThreadEntry } from "./ThreadEntry.tsx"

const defaultRows = 40
const maxRows = 500

/** A conversation, shown between the list and the guest sidebar. */
export const threadPage = page("/inbox/:id", {
  uploads: true,
  view: (pageContext) =>
    Effect.map(renderThread(pageContext, parseComposer(pageContext)), (content) => ({ ...content, isLive: true })),
  submit: (pageContext) => {
    const { form, id, run } = pageContext
    const path = `/inbox/${id}` as const
    const updateThread = (change: Omit<Parameters<typeof run<typeof conversationsUpdate>>[1], "id">) =>
      run(conversationsUpdate, { id, ...change })
    if (form["snooze"] !== undefined) {
      return Effect.gen(function*() {
        const until = yield* parseSnoozeEnd(pageContext)
        yield* updateThread({ snoozed_until: Instant.format(until) })
        return redirectTo("/inbox", "snoozed")
      })
    }
    switch (form["do"]) {
      case "done":
        return Effect.as(updateThread({ status: "done" }), redirectTo("/inbox", "closed"))
      case "open":
        return Effect.as(updateThread({ status: "open" }), redirectTo(path, "opened"))
      case "read":
        return Effect.as(updateThread({ read: true }), redirectTo(path))
      case "unread":
        return Effect.as(updateThread({ read: false }), redirectTo("/inbox", "unread"))
      case "wake":
        return Effect.as(updateThread({ snoozed_until: null }), redirectTo(path, "woken"))
      case "insert":
        return Effect.flatMap(
          run(savedRepliesList, { conversation_id: id }),
          ({ data }) =>
            renderThread(
              pageContext,
              insertSavedReply(
                form,
                data,
                "The saved reply was filled in for this guest. Review it before you send it."
              )
            )
        )
      case "draft":
        return Effect.flatMap(
          run(messagesDraft, { conversation_id: id }),
          ({ text }) =>
            renderThread(pageContext, {
              form: appendText(form, text),
              notice: "A language model wrote this draft. Review it before you send it."
            })
        )
      default:
        return Effect.as(
          run(messagesSend, { conversation_id: id, ...toMessageInput(form) }),
          redirectTo(path, form["do"] === "note" ? "noted" : "sent")
        )
    }
  }
})

const renderThread = (pageContext: PageContext, composer: ComposerState) =>
  Effect.gen(function*() {
    const { id, query, run, site } = pageContext
    const filter = parseInboxFilter(pageContext)
    const rows = query("rows") === undefined ? defaultRows : maxRows
    const [thread, list, { data: replies }] = yield* Effect.all([
      run(dashboardThread, { id, rows }),
      loadConversationList(pageContext, filter),
      run(savedRepliesList, { conversation_id: id })
    ], { concurrency: "unbounded" })
    const booking = thread.booking === null ? undefined : yield* run(bookingsGet, { id: thread.booking.id })
    const { isErased, name } = getConversationGuest(thread)
    const isSnooze = composer.form["snooze"] !== undefined
    return {
      title: name,
      script: "inbox",
      lead: <a href={site.link(buildInboxPath("/dashboard/inbox", filter))}>Back to inbox</a>,
      body: (
        <div class="inbox card">
          <nav class="side-list" aria-label="Conversations">
            <ConversationList list={list} filter={filter} chosen={thread.id} />
          </nav>
          <div class="middle">
            <ScrollContainer class="last" label="Conversation">
              <div>
                {thread.has_earlier && <EarlierLink rows={rows} />}
                <ol class="thread" data-read={thread.unread ? thread.last_message_at : undefined}>
                  {thread.thread.map((row) => (
                    <ThreadEntry
                      key={`${row.type} ${row.at} ${row.message?.id}`}
                      thread={thread}
                      row={row}
                    />
                  ))}
                </ol>
              </div>
            </ScrollContainer>
            {isErased
              ? <p class="pad soft">This guest was erased and cannot receive messages.</p>
              : (
                <Composer
                  to={`Write to ${name}`}
                  drafts={thread.drafts}
                  state={isSnooze ? { form: {} } : composer}
                  replies={replies}
                />
              )}
          </div>
          <GuestSidebar
            thread={thread}
            booking={booking}
            wrong={isSnooze ? composer.wrong : undefined}
          />
        </div>
      )
    } satisfies PageContent
  })

const EarlierLink = ({ rows }: { readonly rows: number }) =>
  rows === maxRows
    ? <p class="soft small">{`The newest ${maxRows} messages are shown. The data export contains all of them.`}</p>
    : (
      <p>
        <Button icon="chevron-left" href={earlierUrl(usePage())}>
          Show earlier messages
        </Button>
      </p>
    )

const earlierUrl = (context: PageContext): string => {
  const url = context.site.link(buildInboxPath(`/dashboard/inbox/${context.id}`, parseInboxFilter(context)))
  return `${url}${url.includes("?") ? "&" : "?"}rows=${maxRows}`
}

const snoozeHours = 3
const morningSeconds = 8 * 3600

/**
 * Returns the time when a snooze ends: a number of hours from now, 8 AM local time on another day, or a custom time.
 */
const parseSnoozeEnd = (
  { clock: { now, today, zone }, form: { snooze, until = "" }, org }: PageContext
): Either.Either<Instant.Instant, Refusal> => {
  if (snooze === "hours") return Either.right(Instant.addMinutes(now, snoozeHours * 60))
  if (snooze === "tomorrow") return Either.right(zone.instantAt(LocalDate.addDays(today, 1), morningSeconds))
  if (snooze === "monday") {
    const daysUntilMonday = (8 - LocalDate.weekday(today)) % 7 || 7
    return Either.right(zone.instantAt(LocalDate.addDays(today, daysUntilMonday), morningSeconds))
  }
  return Either.flatMap(
    parseDateTimeLocal("until", until, org.timezone),
    (at) => at > now ? Either.right(at) : Either.left(invalid("until: must be in the future"))
  )
}

/** Erases a question from a person without a booking. A guest's messages are erased along with the guest. */
export const eraseConversationPage = confirmPage("/inbox/:id/erase", {
  *view({ id, rejection, run }) {
    const conversation = yield* run(conversationsGet, { id })
    const { customer, thread } = conversation
    const { name } = getConversationGuest(conversation)
    const head = {
      title: "Erase this question?",
      back: `/inbox/${conversation.id}`,
      backLabel: "Keep question"
    } as const
    if (customer !== null) {
      return {
        ...head,
        body: (
          <div class="stack form">
            {rejection !== undefined && <ErrorNote>{rejection.message}</ErrorNote>}
            <p>
              <b dir="auto">{name}</b> has booked with you. Erase the guest to erase their messages.
            </p>
            <p class="acts">
              <Button to={`/guests/${customer.id}`}>Go to guest</Button>
              <Button look="plain" to={head.back}>Keep question</Button>
            </p>
          </div>
        )
      }
    }
    return {
      ...head,
      happens: [
        <>
          All messages between you and <b dir="auto">{name}</b> ({thread.length}{" "}
          in total) are erased, including their name, email, and files.
        </>,
        "The text of these messages is also removed from past events.",
        "No email is sent.",
        "This cannot be undone."
      ],
      button: "Erase permanently"
    }
  },
  submit: ({ id, run }) => Effect.as(run(conversationsDelete, { id }), redirectTo("/inbox", "erased"))
})
