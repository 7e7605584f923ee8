/**
 * What guests write by mail, and what becomes of the mails that went to them.
 *
 * Whoever takes mail in has read it: these are its parts, and the decisions that need
 * the conversation are made here, under its lock. An answer is given after the commit,
 * so a sender who hears nothing sends again and nothing is lost.
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

/**
 * Name and e-mail as a mail has them.
 *
 * @category models
 */
export interface Correspondent {
  readonly name: string
  readonly email: string
}

/**
 * A conversation as somebody who reads mail to it needs it.
 *
 * @category models
 */
export interface ReplyContext {
  readonly orgId: string
  readonly conversationId: string
  readonly orgName: string
  /** Whom mail is taken from. */
  readonly guest: Correspondent
  /** The local parts of our own addresses of this conversation, as in `reply+<token>`. */
  readonly addresses: ReadonlyArray<string>
  /** The bodies that we sent, newest first: a line that repeats one of theirs is a quotation. At most 50. */
  readonly sent: ReadonlyArray<string>
}

/**
 * The same for a mail that one of the staff answers a guest with.
 *
 * @category models
 */
export interface StaffReplyContext {
  readonly orgId: string
  readonly orgName: string
  /** Whom mail is taken from. */
  readonly member: Correspondent
  readonly addresses: ReadonlyArray<string>
  /** What the guest wrote, newest first, as the notifications quoted it. At most 50. */
  readonly sent: ReadonlyArray<string>
}

/**
 * A file that came with a mail.
 *
 * @category models
 */
export interface MailedFile {
  readonly name: string
  /** As the mail says it; the bytes decide. */
  readonly type: string
  readonly bytes: Uint8Array
}

/**
 * A mail to a conversation, read.
 *
 * @category models
 */
export interface ParsedMail {
  readonly token: string
  /** The same for each copy of one mail: a digest of its Message-ID, or of the whole mail without one. */
  readonly mailKey: string
  /** What an answer is in reply to; null where the mail has none. */
  readonly messageId: string | null
  /** Its one From address. */
  readonly from: Correspondent
  readonly subject: string
  /** What the guest wrote, without what they quoted. */
  readonly body: string
  /** What was cut off the body; empty when nothing was. */
  readonly cut: string
  readonly files: ReadonlyArray<MailedFile>
  /** A machine wrote it. It is kept, counts as no message of the guest, and is not acknowledged. */
  readonly automatic: boolean
}

/**
 * What became of a mail: it is stored, it was stored before, or it is nothing for us.
 *
 * @category models
 */
export type AcceptResult = "taken" | "again" | "dropped"

/**
 * Why a mail was dropped.
 *
 * @category models
 */
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

/**
 * @category services
 */
export class InboundMailHandler extends Context.Tag("@trailbook/core/InboundMailHandler")<
  InboundMailHandler,
  {
    /** The conversation with this secret address; none is found once its guest was erased. */
    readonly find: (token: string) => Effect.Effect<Option.Option<ReplyContext>>
    /**
     * Stores a guest's mail as a message, once: the message, its event, the acknowledgement
     * and the task that tells the staff are one unit of work. The sender's address is
     * compared with the guest's once more under the lock.
     */
    readonly accept: (mail: ParsedMail) => Effect.Effect<AcceptResult>
    /** The conversation that one of the staff answers at this secret address; none is found once either is gone. */
    readonly findTeam: (token: string) => Effect.Effect<Option.Option<StaffReplyContext>>
    /**
     * Stores an answer of the staff as a message to the guest, who gets it by mail, once. The
     * sender's address is compared with the person's once more.
     */
    readonly answer: (mail: ParsedMail) => Effect.Effect<AcceptResult>
    /** Whether a report about a mail to a guest can name this token. */
    readonly isReportable: (token: string) => Effect.Effect<boolean>
    /**
     * Writes to a message what became of its mail, or, of a mail that is no message, a note into its conversation. A token
     * that names neither is left alone.
     */
    readonly reported: (report: DeliveryReport) => Effect.Effect<void>
    /** Counts a mail that was dropped before it got here, without its content. */
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
            // What is known, or comes from a stranger, brings no files.
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
            // After an erasure its address is another one.
            if (conversation === undefined || conversation.token !== key.token) return "dropped"
            // Copies of one mail come at the same moment, too.
            if (Option.isSome(yield* messages.findByMailKey(key.orgId, mail.mailKey))) return "again"
            const guest = yield* guestOf(conversation)
            if (guest.email === "" || guest.email !== mail.from.email.toLowerCase()) return "dropped"
            // Its files were kept for it.
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
