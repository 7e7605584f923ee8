/**
 * Seeds the demo's messages: a question before a booking, a picture sent by email, an undelivered email, a snoozed
 * conversation, and unanswered messages. The messages pass through the same operations and handlers as messages from
 * guest pages and the mail server.
 */
import type { Refusal } from "@trailbook/core"
import { bookingsGet } from "@trailbook/core/booking"
import {
  ConversationStore,
  conversationsUpdate,
  GuestConversations,
  MailIntake,
  messagesSend,
  MessageStore,
  type ParsedMail
} from "@trailbook/core/conversation"
import type { Registry } from "@trailbook/core/operation"
import { TenantScope } from "@trailbook/core/port"
import * as Effect from "effect/Effect"
import type { YieldWrap } from "effect/Utils"
import { callOperation, type OperationInput } from "./callOperation.ts"
import type { Guest } from "./outfitter.ts"
import { guestPicture } from "./photos.ts"

/** The services needed to write messages. */
export type MessageServices = ConversationStore | GuestConversations | MailIntake | MessageStore | Registry

interface InboxOptions {
  readonly orgId: string
  /** Schedules an effect for a day and time in the story. */
  readonly tell: (day: number, time: string, work: Effect.Effect<unknown, never, MessageServices>) => void
  /** Formats the instant for a time of day on a day relative to today. */
  readonly at: (day: number, time: string) => string
  readonly guestOf: (party: MessageSender) => Guest
  /**
   * Returns a party's booking ID. Call this inside the scheduled effect, because the booking does not exist until then.
   */
  readonly bookingOf: (party: MessageSender) => string
}

/** The guests who write messages, with their index in the cast. */
export const messageSenderIndexes = { regulars: 0, family: 5, anglers: 6, kayaks: 8, "brought forward": 9 } as const

export type MessageSender = keyof typeof messageSenderIndexes

export const scheduleInbox = ({ at, bookingOf, guestOf, orgId, tell }: InboxOptions): void => {
  const caller = { orgId, source: "dashboard" as const }

  const findConversation = (party: MessageSender) =>
    Effect.gen(function*() {
      const { customer } = yield* Effect.orDie(callOperation(caller, bookingsGet, { id: bookingOf(party) }))
      const [conversation] = yield* (yield* ConversationStore).findByCustomer([{ orgId, id: customer.id }])
      return conversation ?? (yield* Effect.dieMessage(`Invariant violated: no conversation for party ${party}`))
    })
  const scheduleStep = (
    day: number,
    time: string,
    steps: () => Generator<YieldWrap<Effect.Effect<unknown, Refusal, MessageServices>>, void, never>
  ) => tell(day, time, Effect.orDie(Effect.provideService(Effect.gen(steps), TenantScope, [orgId])))

  /** Schedules a question before booking, with an optional reply on the same day. */
  const askQuestion = (
    day: number,
    time: string,
    { email, name }: Pick<Guest, "email" | "name">,
    body: string,
    reply?: { readonly time: string; readonly body: string }
  ) => {
    let conversation_id = ""
    scheduleStep(day, time, function*() {
      const question = yield* (yield* GuestConversations).ask({ orgId, from: { name, email }, body })
      conversation_id = question.conversationId
    })
    if (reply === undefined) return
    scheduleStep(day, reply.time, function*() {
      yield* callOperation(caller, messagesSend, { conversation_id, body: reply.body })
    })
  }
  const writeOnPage = (day: number, time: string, party: MessageSender, body: string) =>
    scheduleStep(day, time, function*() {
      yield* (yield* GuestConversations).write({ orgId, id: bookingOf(party) }, { body })
    })
  /** Creates an incoming email the way the inbound mail handler receives it. */
  const replyByMail = (
    day: number,
    time: string,
    party: MessageSender,
    body: string,
    files: ParsedMail["files"] = []
  ) =>
    scheduleStep(day, time, function*() {
      const { subject, token } = yield* findConversation(party)
      const { email, name } = guestOf(party)
      const key = `${party} ${day} ${time}`.replaceAll(/[^a-z0-9]+/g, "-")
      yield* (yield* MailIntake).acceptReply({
        purpose: "reply",
        token,
        mailKey: key,
        messageId: `<${key}@mail.example.com>`,
        from: { name, email },
        subject: `Re: ${subject}`,
        body,
        quotedText: "",
        files,
        automatic: false
      })
    })
  const sendMessage = (
    day: number,
    time: string,
    party: MessageSender,
    message: Pick<OperationInput<typeof messagesSend>, "body" | "subject" | "kind">
  ) =>
    scheduleStep(day, time, function*() {
      yield* callOperation(caller, messagesSend, { booking_id: bookingOf(party), ...message })
    })
  const updateConversation = (
    day: number,
    time: string,
    party: MessageSender,
    change: Omit<OperationInput<typeof conversationsUpdate>, "id">
  ) =>
    scheduleStep(day, time, function*() {
      const { id } = yield* findConversation(party)
      yield* callOperation(caller, conversationsUpdate, { id, ...change })
    })
  /** Schedules a bounce of the last email sent to a party. */
  const reportBounce = (day: number, time: string, party: MessageSender, failure: string) =>
    scheduleStep(day, time, function*() {
      const [newest] = yield* (yield* MessageStore).latest(yield* findConversation(party), 1)
      yield* (yield* MailIntake).recordReport({
        bounceToken: newest?.bounceToken ?? "",
        outcome: "failed",
        failure
      })
    })

  // An answered question before booking. The conversation is linked to the later booking.
  askQuestion(-4, "09:20", guestOf("kayaks"), parkingQuestion, { time: "10:05", body: shuttleReply })
  sendMessage(-3, "17:02", "kayaks", {
    body: "You're all set! The shuttle will pick you up at Mineral Bottom at 2 PM."
  })
  updateConversation(-3, "17:03", "kayaks", { status: "done", read: true })

  // A picture sent by email.
  sendMessage(-5, "18:00", "regulars", { subject: "Your trip through Browns Canyon", body: tripFollowUp })
  replyByMail(-5, "20:15", "regulars", drawingReply, [{
    name: "our-raft.png",
    type: "image/png",
    bytes: Buffer.from(guestPicture, "base64")
  }])
  sendMessage(-4, "08:10", "regulars", {
    body: "What a great picture! We put it up in the boathouse. See you all soon."
  })
  updateConversation(-4, "08:11", "regulars", { status: "done", read: true })

  // A snoozed conversation, which reopens when it is due.
  writeOnPage(-2, "21:15", "anglers", "Could we start at 6 AM instead of 7? We heard the hatch is early this week.")
  sendMessage(-1, "07:50", "anglers", { body: "I'll check with both guides and get back to you in two days." })
  updateConversation(-1, "07:51", "anglers", { read: true, snoozed_until: at(2, "08:00") })

  // An undelivered email and the outfitter's reaction.
  sendMessage(-1, "16:30", "family", { subject: "Your float trip tomorrow", body: tripReminder })
  reportBounce(-1, "16:31", "family", "550 5.1.1 The email account that you tried to reach does not exist.")
  sendMessage(-1, "16:40", "family", {
    kind: "note",
    body: "Email bounced. Called instead: they have a new address and will email us."
  })

  // Unanswered messages.
  sendMessage(-2, "09:32", "brought forward", { body: "Done! We moved you to this week's trip, two seats." })
  replyByMail(
    -1,
    "12:25",
    "brought forward",
    "Thank you! Is there somewhere to leave car keys while we are on the water?"
  )
  askQuestion(-1, "19:42", { name: "Nadia Brandt", email: "nadia.brandt@example.com" }, ageQuestion)
}

export const savedReplies = [
  {
    title: "What to bring",
    body: "Hi {first_name},\n\nPlease bring a swimsuit, a towel, secure shoes that can get wet, and sunscreen. " +
      "We provide wetsuits, helmets, and life jackets.\n\nSee you at {start_time}!"
  },
  {
    title: "Where to meet",
    body: "Hi {first_name},\n\nWe meet at {meeting_point}. Please arrive 15 minutes before {start_time}."
  },
  {
    title: "High water",
    body:
      "Hi {first_name},\n\nThe river is high this week. We are watching the gauge and will decide the evening before. " +
      "If {offering} is canceled, you can reschedule or get a full refund: {booking_link}"
  },
  {
    title: "Thank you",
    body: "Hi {first_name},\n\nThank you for joining us! If you enjoyed your trip, tell a friend."
  }
] as const

const parkingQuestion =
  "Hello! We'd like to rent two kayaks for four days. Can we leave our car at the park in Green River, and how do " +
  "we get back from Mineral Bottom?"
const shuttleReply =
  "You can leave your car at the park for $6 a day. We can arrange a shuttle back from Mineral Bottom. Just let us " +
  "know when you book."
const tripFollowUp = "Thanks for joining us this morning! How was it?"
const drawingReply =
  "It was the best day of our vacation, and we're coming back with the kids' cousins. Ella painted this on " +
  "the way home. It's all of us in the raft."
const tripReminder =
  "Your float trip starts at 1:30 PM tomorrow. It will be warm with some wind, so bring sunscreen and a " +
  "windbreaker. Please meet us at the boat ramp at 1:15 PM."
const ageQuestion =
  "Hi, we are two adults and our daughter, who just turned seven and is a good swimmer. Is Browns Canyon too much " +
  "for her? And do you have wetsuits in her size?"
