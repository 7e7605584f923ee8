/** A conversation, and the page to erase a question from a person without a booking. */
import { invalid, type Refusal } from "@trailbook/core"
import { bookingsGet, type BookingView } from "@trailbook/core/booking"
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
import { PhoneLink } from "../../ui/TripInfo.tsx"
import { formatPaymentState } from "../bookings/bookingText.tsx"
import { Button, ErrorNote, Link, ScrollContainer } from "../kit/elements.tsx"
import { confirmPage, page, type PageContent, type PageContext, redirectTo, usePage } from "../kit/page.tsx"
import { parseDateTimeLocal, toDateTimeLocal } from "../parts/dateTimes.ts"
import {
  appendText,
  Composer,
  type ComposerState,
  insertSavedReply,
  parseComposer,
  toMessageInput
} from "./Composer.tsx"
import {
  buildInboxPath,
  ConversationList,
  getConversationGuest,
  loadConversationList,
  parseInboxFilter
} from "./InboxPage.tsx"
import { ThreadEntry, type ThreadView } from "./ThreadEntry.tsx"

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
    const url = site.link(buildInboxPath(`/dashboard/inbox/${id}`, filter))
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
                {thread.has_earlier && <EarlierMessages rows={rows} url={url} />}
                <ol class="thread" data-read={thread.unread ? thread.last_message_at : undefined}>
                  {thread.thread.map((row) => (
                    <ThreadEntry key={`${row.type} ${row.at} ${row.message?.id}`} thread={thread} row={row} />
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
          <GuestSidebar thread={thread} booking={booking} wrong={isSnooze ? composer.wrong : undefined} />
        </div>
      )
    } satisfies PageContent
  })

/** A link to the earlier messages, or a note if the page already shows as many messages as it can. */
const EarlierMessages = ({ rows, url }: { readonly rows: number; readonly url: string }) =>
  rows === maxRows
    ? <p class="soft small">{`The newest ${maxRows} messages are shown. The data export contains all of them.`}</p>
    : (
      <p>
        <Button icon="chevron-left" href={`${url}${url.includes("?") ? "&" : "?"}rows=${maxRows}`}>
          Show earlier messages
        </Button>
      </p>
    )

/** A conversation's sidebar: guest, bookings, and actions. */
const GuestSidebar = ({ booking, thread, wrong }: {
  readonly thread: ThreadView
  readonly booking: BookingView | undefined
  /** The snooze form's error message. */
  readonly wrong: string | undefined
}) => {
  const { format, now, org } = usePage()
  const guest = getConversationGuest(thread)
  const isSnoozed = thread.snoozed_until !== null && thread.snoozed_until > thread.now
  return (
    <aside class="guest-side stack" aria-label="Guest">
      <p class="line">
        <span class="who" aria-hidden="true">{getNameInitials(guest.name)}</span>
        {thread.customer === null
          ? <b dir="auto">{guest.name}</b>
          : (
            <Link to={`/guests/${thread.customer.id}`} dir="auto">
              <b>{guest.name}</b>
            </Link>
          )}
      </p>
      <dl class="about">
        {booking !== undefined && (
          <>
            <dt>{booking.ends_at < thread.now ? "Last trip" : "Next trip"}</dt>
            <dd>
              <Link to={`/bookings/${booking.id}`} dir="auto">{booking.offering.name}</Link>
              <span class="soft">
                {`${format.moment(booking.starts_at)} · ${booking.quantity} ${
                  booking.quantity === 1 ? "spot" : "spots"
                }`}
                {booking.status !== "confirmed" && ` · ${booking.status === "cancelled" ? "canceled" : booking.status}`}
              </span>
            </dd>
            <dt>Reference</dt>
            <dd>
              <code>{booking.reference}</code>
            </dd>
            <dt>Payment</dt>
            <dd>{formatPaymentState(format, booking)}</dd>
          </>
        )}
        {guest.email !== "" && (
          <>
            <dt>Email</dt>
            <dd dir="ltr">{guest.email}</dd>
          </>
        )}
        {guest.phone !== "" && (
          <>
            <dt>Phone</dt>
            <dd>
              <PhoneLink phone={guest.phone} />
            </dd>
          </>
        )}
      </dl>
      <form class="stack" method="post" encType="multipart/form-data" aria-label="Conversation actions">
        <p class="acts">
          {thread.status === "open"
            ? <button class="btn" name="do" value="done">Mark done</button>
            : <button class="btn" name="do" value="open">Reopen</button>}
          {thread.unread
            ? <button class="btn" name="do" value="read">Mark read</button>
            : <button class="btn plain" name="do" value="unread">Mark unread</button>}
        </p>
        {isSnoozed && thread.snoozed_until !== null && (
          <p class="acts">
            <span class="tag">Snoozed until {format.moment(thread.snoozed_until)}</span>
            <button class="btn plain" name="do" value="wake">End snooze</button>
          </p>
        )}
        <details open={wrong !== undefined}>
          <summary>Snooze</summary>
          <div class="stack tight">
            <p class="acts">
              <button class="btn" name="snooze" value="hours">3 hours</button>
              <button class="btn" name="snooze" value="tomorrow">{`Tomorrow, ${format.wall("08:00")}`}</button>
              <button class="btn" name="snooze" value="monday">{`Monday, ${format.wall("08:00")}`}</button>
            </p>
            {wrong !== undefined && <p class="bad small" id="until-wrong" role="alert">{wrong}</p>}
            <p class="field">
              <label for="until">{`Until (${format.zone(thread.now)})`}</label>
              <input
                id="until"
                name="until"
                type="datetime-local"
                min={toDateTimeLocal(now, org.timezone)}
                aria-describedby={wrong === undefined ? undefined : "until-wrong"}
              />
            </p>
            <p>
              <button class="btn" name="snooze" value="until">Snooze until then</button>
            </p>
          </div>
        </details>
      </form>
      {thread.customer === null && !guest.isErased && (
        <p>
          <Link class="small bad" to={`/inbox/${thread.id}/erase`}>Erase this question…</Link>
        </p>
      )}
    </aside>
  )
}

const getNameInitials = (name: string): string =>
  name.split(/\s+/u).filter((word) => word !== "").slice(0, 2).map((word) => [...word][0] ?? "").join("").toUpperCase()

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
