import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { BookingStore } from "../booking/BookingStore.ts"
import { guestName } from "../booking/guestName.ts"
import { customerErased } from "../customer/CustomerDecider.ts"
import { CustomerStore } from "../customer/CustomerStore.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { OrgStore } from "../org/OrgStore.ts"
import { type KeyedRequest, makeIdempotent } from "../port/idempotent.ts"
import { Ids } from "../port/Ids.ts"
import type { KeptRequest } from "../port/RequestKeys.ts"
import { retryOnConflict } from "../port/retryOnConflict.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import { ConversationWriter } from "./ConversationWriter.ts"
import type { Correspondent } from "./InboundMail.ts"
import { InboundRecorder } from "./InboundRecorder.ts"
import type { AttachmentRef } from "./loadAttachments.ts"
import type { Message } from "./Message.ts"
import { MessageStore } from "./MessageStore.ts"

/** A question before booking, as submitted with the form. */
export interface Question {
  readonly orgId: string
  /** The email is in lowercase. */
  readonly from: Correspondent
  readonly body: string
}

/** Stores messages that guests write on pages. */
export class GuestMessages extends Context.Tag("@trailbook/core/GuestMessages")<
  GuestMessages,
  {
    /**
     * Stores a message from a booking page, with files that were stored before. A form that is submitted again with the
     * same `key` returns the same message.
     */
    readonly write: (booking: OrgKey, written: {
      readonly body: string
      readonly key?: string | undefined
      readonly files?: ReadonlyArray<AttachmentRef> | undefined
    }) => Effect.Effect<Message, Refusal<"not_found" | "customer_erased" | "attachment_used">>
    /** Whether the form with this key was stored as a message. */
    readonly isSent: (booking: OrgKey, key: string) => Effect.Effect<boolean>
    /**
     * Stores a question. It goes to the conversation of the guest with this email. Without such a guest, it starts or
     * continues a conversation that is merged when the person books. A repeated idempotency key stores no second
     * message.
     */
    readonly ask: (
      question: Question,
      keyed?: KeyedRequest
    ) => Effect.Effect<Message, Refusal<"not_found" | "idempotency_conflict">>
  }
>() {
  static readonly layer = Layer.effect(
    GuestMessages,
    Effect.gen(function*() {
      const bookings = yield* BookingStore
      const correspondence = yield* ConversationWriter
      const customers = yield* CustomerStore
      const { hear } = yield* InboundRecorder
      const ids = yield* Ids
      const messages = yield* MessageStore
      const orgs = yield* OrgStore
      const { make } = yield* makeIdempotent
      const { run } = yield* UnitOfWork

      const mailKeyOf = ({ id }: OrgKey, key: string): string => `page ${id} ${key}`

      return GuestMessages.of({
        isSent: (booking, key) =>
          Effect.map(messages.findByMailKey(booking.orgId, mailKeyOf(booking, key)), Option.isSome),
        write: (booking, { body, files = [], key }) =>
          retryOnConflict(run(Effect.gen(function*() {
            const [record] = yield* bookings.find([booking])
            if (record === undefined) return yield* notFound("booking", booking.id)
            const [customer] = yield* customers.lock([{ orgId: booking.orgId, id: record.booking.customerId }])
            if (customer === undefined || customer.erasedAt !== null) return yield* customerErased()
            const conversation = yield* correspondence.ofCustomer(customer)
            const mailKey = key === undefined ? null : mailKeyOf(booking, key)
            // The conversation is locked, so two submissions of the same form run one after the other.
            const before = mailKey === null ? Option.none() : yield* messages.findByMailKey(booking.orgId, mailKey)
            if (Option.isSome(before)) return before.value
            return yield* hear(conversation, {
              body,
              files,
              mailKey,
              channel: "page",
              bookingId: booking.id,
              fromName: guestName(record),
              fromEmail: customer.email,
              automatic: false
            })
          }))),
        ask: ({ body, from, orgId }, keyed) => {
          const id = ids.uuid()
          const asking = Effect.gen(function*() {
            const [customer] = yield* customers.lockByEmail([{ orgId, email: from.email }])
            if (Option.isNone(yield* orgs.find(orgId))) return yield* notFound("org", orgId)
            const conversation = yield* customer === undefined
              ? correspondence.ofStranger(orgId, from)
              : correspondence.ofCustomer(customer)
            return yield* Effect.orDie(hear(conversation, {
              id,
              body,
              channel: "page",
              fromName: from.name,
              fromEmail: from.email,
              automatic: false
            }))
          })
          const again = ({ made: [id = ""] }: KeptRequest) =>
            Effect.map(messages.find([{ orgId, id }]), ([message]) => ({
              over: false,
              answer: message === undefined
                ? Effect.dieMessage("Invariant violated: message not found after it was stored")
                : Effect.succeed(message)
            }))
          return retryOnConflict(make(keyed, { made: [id], make: asking, again }))
        }
      })
    })
  )
}
