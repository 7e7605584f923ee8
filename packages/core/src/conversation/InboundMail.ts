/**
 * Inbound email of guests, and delivery reports for emails to them.
 *
 * The mail server has parsed the email. This module makes the decisions that need the conversation, under its lock. The
 * result is returned after the commit, so a sender without a response retries and no email is lost.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { OrgStore } from "../org/OrgStore.ts"
import { retryOnConflict } from "../port/retryOnConflict.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import type { Conversation } from "./Conversation.ts"
import { ConversationStore } from "./ConversationStore.ts"
import type { DeliveryReport } from "./DeliveryReport.ts"
import { countDroppedMail } from "./droppedMailMetric.ts"
import { makeFindByReplyToken, maxQuotedMessages, withTenant } from "./findByReplyToken.ts"
import { makeGuestContact } from "./guestContact.ts"
import { InboundRecorder } from "./InboundRecorder.ts"
import { Messages } from "./Messages.ts"
import { MessageStore } from "./MessageStore.ts"
import { makeRecordDeliveryReport } from "./recordDeliveryReport.ts"
import { makeStaffReplies } from "./staffReplies.ts"
import { makeStoreMailFiles, type StoredFiles } from "./storeMailFiles.ts"

export type { DeliveryReport } from "./DeliveryReport.ts"

/** Name and address from an email header. */
export interface Correspondent {
  readonly name: string
  readonly email: string
}

/** The facts about a conversation that are needed to parse an email to it. */
export interface ReplyContext {
  readonly orgId: string
  readonly conversationId: string
  readonly orgName: string
  /** The only accepted sender. */
  readonly guest: Correspondent
  /** The local parts of our addresses for this conversation, such as `reply+<token>`. */
  readonly addresses: ReadonlyArray<string>
  /** The text that we sent, newest first, at most 50 messages. A line that repeats one of them is a quotation. */
  readonly sent: ReadonlyArray<string>
}

/** The facts about a conversation that are needed to parse a staff member's email reply to the guest. */
export interface StaffReplyContext {
  readonly orgId: string
  readonly orgName: string
  /** The only accepted sender. */
  readonly member: Correspondent
  readonly addresses: ReadonlyArray<string>
  /** The text of the guest's messages, newest first, as the notifications quoted it. At most 50 messages. */
  readonly sent: ReadonlyArray<string>
}

/** A file attached to an email. */
export interface MailedFile {
  readonly name: string
  /** As declared in the email. The actual type is detected from the bytes. */
  readonly type: string
  readonly bytes: Uint8Array
}

/** A parsed email to a conversation. */
export interface ParsedMail {
  readonly token: string
  /** The same for each copy of an email: a digest of its Message-ID or, without one, of the complete email. */
  readonly mailKey: string
  /** The Message-ID for replies, or null if the email has none. */
  readonly messageId: string | null
  /** The single From address. */
  readonly from: Correspondent
  readonly subject: string
  /** The text without quotations. */
  readonly body: string
  /** The removed quotations, or an empty string. */
  readonly cut: string
  readonly files: ReadonlyArray<MailedFile>
  /**
   * Whether a machine wrote it. Such an email is stored, but does not count as a message of the guest and is not
   * acknowledged.
   */
  readonly automatic: boolean
}

/** The result for an email: `taken` (stored), `again` (stored before), or `dropped`. */
export type AcceptResult = "taken" | "again" | "dropped"

/** The reason why an email was dropped. */
export type DropReason =
  | "automatic"
  | "stranger"
  | "forged"
  | "unverified"
  | "undecided"
  | "list"
  | "own"
  | "too_large"
  | "unknown_address"
  | "unreadable"

export class InboundMailHandler extends Context.Tag("@trailbook/core/InboundMailHandler")<
  InboundMailHandler,
  {
    /** Finds the conversation with this token. Returns none if its guest was erased. */
    readonly find: (token: string) => Effect.Effect<Option.Option<ReplyContext>>
    /**
     * Stores an email of a guest as a message, once. The message, its event, the acknowledgment, and the staff
     * notification are one transaction. The sender is compared with the guest again under the lock.
     */
    readonly accept: (mail: ParsedMail) => Effect.Effect<AcceptResult>
    /** Finds the conversation and staff member of this token. Returns none if either is gone. */
    readonly findTeam: (token: string) => Effect.Effect<Option.Option<StaffReplyContext>>
    /**
     * Stores an email of a staff member as a message to the guest, once. The sender is compared with the staff member
     * again.
     */
    readonly answer: (mail: ParsedMail) => Effect.Effect<AcceptResult>
    /** Whether this token is valid in a delivery report. */
    readonly isReportable: (token: string) => Effect.Effect<boolean>
    /**
     * Records the delivery result on the message or, if the email was no message, as a note in the conversation.
     * Unknown tokens are ignored.
     */
    readonly reported: (report: DeliveryReport) => Effect.Effect<void>
    /** Counts an email that the mail server dropped, without its content. */
    readonly drop: (reason: DropReason) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.provide(
    Layer.effect(
      InboundMailHandler,
      Effect.gen(function*() {
        const guestOf = yield* makeGuestContact
        const { hear } = yield* InboundRecorder
        const messages = yield* MessageStore
        const orgs = yield* OrgStore
        const store = yield* ConversationStore
        const keep = yield* makeStoreMailFiles
        const reached = yield* makeFindByReplyToken
        const { run } = yield* UnitOfWork

        const received = (mail: ParsedMail, conversation: Conversation): Effect.Effect<AcceptResult> =>
          Effect.gen(function*() {
            // Check before storing the files: a known email, or one of another sender, stores none.
            if (Option.isSome(yield* messages.findByMailKey(conversation.orgId, mail.mailKey))) return "again"
            const { email } = yield* guestOf(conversation)
            if (email === "" || email !== mail.from.email.toLowerCase()) return "dropped"
            const kept = yield* keep(conversation.orgId, mail)
            return yield* retryOnConflict(run(taken(mail, conversation, kept)))
          })

        const taken = (
          mail: ParsedMail,
          key: Conversation,
          { body, files, lost }: StoredFiles
        ): Effect.Effect<AcceptResult> =>
          Effect.gen(function*() {
            const [conversation] = yield* store.lock([key])
            // An erasure replaces the token.
            if (conversation === undefined || conversation.token !== key.token) return "dropped"
            // Copies of an email can arrive concurrently.
            if (Option.isSome(yield* messages.findByMailKey(key.orgId, mail.mailKey))) return "again"
            const guest = yield* guestOf(conversation)
            if (guest.email === "" || guest.email !== mail.from.email.toLowerCase()) return "dropped"
            // The files were stored for this message, so they are unused.
            yield* Effect.orDie(hear(conversation, {
              body: [body, ...lost].join("\n\n"),
              files,
              cut: mail.cut,
              subject: mail.subject,
              channel: "email",
              fromName: mail.from.name,
              fromEmail: guest.email,
              mailKey: mail.mailKey,
              mailId: mail.messageId,
              automatic: mail.automatic
            }))
            return "taken"
          })

        return InboundMailHandler.of({
          find: (token) =>
            Effect.gen(function*() {
              const conversation = yield* reached(token)
              if (conversation === undefined) return Option.none()
              const { id: conversationId, orgId } = conversation
              return yield* withTenant(orgId)(Effect.gen(function*() {
                const org = Option.getOrUndefined(yield* orgs.find(orgId))
                const guest = yield* guestOf(conversation)
                if (org === undefined || guest.email === "") return Option.none()
                const written = yield* messages.latest(conversation, maxQuotedMessages)
                return Option.some({
                  orgId,
                  conversationId,
                  orgName: org.name,
                  guest,
                  addresses: [...new Set([`reply+${token}`, `reply+${conversation.token}`])],
                  sent: written
                    .filter(({ direction, kind }) => direction === "to_guest" && kind === "message")
                    .map(({ body }) => body)
                })
              }))
            }),
          accept: (mail) =>
            Effect.gen(function*() {
              const conversation = yield* reached(mail.token)
              const answer = conversation === undefined
                ? "dropped"
                : yield* withTenant(conversation.orgId)(received(mail, conversation))
              if (answer === "dropped") yield* countDroppedMail("stranger")
              return answer
            }),
          ...yield* makeStaffReplies,
          isReportable: (token) =>
            Effect.flatMap(messages.findByBounceToken(token), (message) =>
              Option.isSome(message)
                ? Effect.succeed(true)
                : Effect.map(reached(token), (conversation) => conversation !== undefined)),
          reported: yield* makeRecordDeliveryReport,
          drop: countDroppedMail
        })
      })
    ),
    Messages.layer
  )
}
