import { invalid } from "@trailbook/core"
import { bookingsGet, bookingsList } from "@trailbook/core/booking"
import { conversationsList, messagesSend, savedRepliesList } from "@trailbook/core/conversation"
import { customersGet } from "@trailbook/core/customer"
import * as Effect from "effect/Effect"
import { getGuestName, isErased } from "../bookings/bookingText.tsx"
import { Link } from "../kit/elements.tsx"
import { page, type PageContent, type PageContext, redirectTo } from "../kit/page.tsx"
import { Composer, type ComposerState, insertSavedReply, parseComposer, toMessageInput } from "./Composer.tsx"

/** A new message to a guest (`?guest=`) or about a booking (`?booking=`), with or without an existing conversation. */
export const newMessagePage = page("/inbox/new", {
  uploads: true,
  view: (context) => renderForm(context, parseComposer(context)),
  *submit(context) {
    const { form, run } = context
    const { booking, guest } = yield* readRecipient(context)
    if (form["do"] === "insert") {
      return yield* renderForm(context, insertSavedReply(form, yield* loadReplies(context, { booking, guest })))
    }
    const message = yield* run(messagesSend, {
      ...(booking === undefined ? { customer_id: guest ?? "" } : { booking_id: booking }),
      ...toMessageInput(form)
    })
    return redirectTo(`/inbox/${message.conversation_id}`, message.kind === "note" ? "noted" : "sent")
  }
})

const renderForm = (context: PageContext, composer: ComposerState) =>
  Effect.gen(function*() {
    const { format, run } = context
    const { booking: bookingId, guest: guestId } = yield* readRecipient(context)
    const booking = bookingId === undefined ? undefined : yield* run(bookingsGet, { id: bookingId })
    const guest = yield* run(customersGet, { id: booking?.customer_id ?? guestId ?? "" })
    const { data: [thread] } = yield* run(conversationsList, { customer_id: guest.id, limit: 1 })
    const replies = yield* loadReplies(context, { booking: bookingId, guest: guest.id })
    return {
      title: "New message",
      script: "inbox",
      lead: booking === undefined
        ? guest.email || "This guest has no email address, so the message appears only on the guest’s booking page."
        : `About ${booking.offering.name}, ${format.moment(booking.starts_at)}, ${booking.reference}`,
      body: (
        <div class="card">
          {thread !== undefined && (
            <p class="pad">
              <Link to={`/inbox/${thread.id}`}>Conversation</Link>
            </p>
          )}
          {isErased(guest)
            ? <p class="pad soft">This guest was erased and cannot receive messages.</p>
            : <Composer to={`Write to ${getGuestName(guest)}`} state={composer} replies={replies} />}
        </div>
      )
    } satisfies PageContent
  })

/**
 * Returns saved replies, filled in with the booking's data. Without a booking, uses the guest's conversation or next
 * booking.
 */
const loadReplies = ({ now, run }: PageContext, { booking, guest = "" }: {
  readonly booking: string | undefined
  readonly guest: string | undefined
}) =>
  Effect.gen(function*() {
    if (booking !== undefined) return (yield* run(savedRepliesList, { booking_id: booking })).data
    const { data: [thread] } = yield* run(conversationsList, { customer_id: guest, limit: 1 })
    if (thread !== undefined) return (yield* run(savedRepliesList, { conversation_id: thread.id })).data
    const { data: [nextBooking] } = yield* run(bookingsList, {
      customer_id: guest,
      from: now,
      status: "confirmed",
      limit: 1
    })
    return (yield* run(savedRepliesList, { booking_id: nextBooking?.id })).data
  })

const readRecipient = ({ query }: Pick<PageContext, "query">) => {
  const [booking, guest] = [query("booking"), query("guest")]
  return booking === undefined && guest === undefined
    ? Effect.fail(invalid("guest: choose a guest or a booking first"))
    : Effect.succeed({ booking, guest })
}
