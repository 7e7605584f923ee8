import { bookingsGet, bookingsList } from "@trailbook/core/operation/bookingOperations"
import { conversationsList } from "@trailbook/core/operation/conversationOperations"
import { customersGet } from "@trailbook/core/operation/customerOperations"
import { messagesSend } from "@trailbook/core/operation/messageOperations"
import { savedRepliesList } from "@trailbook/core/operation/savedReplyOperations"
import { invalid } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { saying } from "../frame/said.ts"
import { momentOf } from "../parts/moments.ts"
import type { Act, DeskAsked, View } from "../View.ts"
import { Composer, inserted, messageIn, type Typed, typedIn } from "./Composer.tsx"

/**
 * A message to a guest, `?guest=`, or about a booking, `?booking=`, whether there is a conversation yet or not.
 *
 * @category views
 */
export const view: View = (asked) => shownWith(asked, typedIn(asked))

const shownWith = (asked: DeskAsked, typed: Typed): ReturnType<View> =>
  Effect.gen(function*() {
    const { run, shown: { format, site } } = asked
    const { booking: bookingId, guest: guestId } = yield* about(asked)
    const booking = bookingId === undefined ? undefined : yield* run(bookingsGet, { id: bookingId })
    const guest = yield* run(customersGet, { id: booking?.customer_id ?? guestId ?? "" })
    const { data: [thread] } = yield* run(conversationsList, { customer_id: guest.id, limit: 1 })
    const replies = yield* repliesFor(asked, { booking: bookingId, guest: guest.id })
    return {
      title: "Write to a guest",
      part: "inbox",
      script: "inbox",
      lead: booking === undefined
        ? guest.email
        : `About ${booking.offering.name}, ${momentOf(format, booking.starts_at)}, ${booking.reference}`,
      body: (
        <div class="card">
          {thread !== undefined && (
            <p class="pad">
              <a href={site.link(`/dashboard/inbox/${thread.id}`)}>What you have written to each other</a>
            </p>
          )}
          {guest.email === ""
            ? <p class="pad soft">This guest was erased, and cannot be written to.</p>
            : (
              <Composer
                shown={asked.shown}
                to={`Write to ${guest.name || guest.email}`}
                typed={typed}
                replies={replies}
              />
            )}
        </div>
      )
    }
  })

/** Saved replies filled in for the booking, or else for the guest's conversation or next booking. */
const repliesFor = ({ clock, run }: DeskAsked, { booking, guest = "" }: {
  readonly booking: string | undefined
  readonly guest: string | undefined
}) =>
  Effect.gen(function*() {
    if (booking !== undefined) return (yield* run(savedRepliesList, { booking_id: booking })).data
    const { data: [thread] } = yield* run(conversationsList, { customer_id: guest, limit: 1 })
    if (thread !== undefined) return (yield* run(savedRepliesList, { conversation_id: thread.id })).data
    const { data: [next] } = yield* run(bookingsList, {
      customer_id: guest,
      from: clock.stamp,
      status: "confirmed",
      limit: 1
    })
    return (yield* run(savedRepliesList, next === undefined ? {} : { booking_id: next.id })).data
  })

const about = ({ query }: Pick<DeskAsked, "query">) => {
  const [booking, guest] = [query("booking"), query("guest")]
  return booking === undefined && guest === undefined
    ? Effect.fail(invalid("guest: say in the address whom it is for"))
    : Effect.succeed({ booking, guest })
}

export const act: Act = (asked) =>
  Effect.gen(function*() {
    const { form, run } = asked
    const { booking, guest } = yield* about(asked)
    if (form["do"] === "insert") {
      return yield* shownWith(asked, inserted(form, yield* repliesFor(asked, { booking, guest })))
    }
    const sent = yield* run(messagesSend, {
      ...(booking === undefined ? { customer_id: guest ?? "" } : { booking_id: booking }),
      ...messageIn(form)
    })
    return saying(`/dashboard/inbox/${sent.conversation_id}`, sent.kind === "note" ? "noted" : "sent")
  })
