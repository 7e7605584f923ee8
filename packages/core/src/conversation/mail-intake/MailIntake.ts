/**
 * Receives email replies from guests and staff members, and delivery reports.
 *
 * A reply is processed in two steps, because the mail server parses it in between. `loadReplyContext` returns the facts
 * about the conversation that the parser needs. `acceptReply` makes the decisions that need the conversation, under its
 * lock. The result is returned after the commit. A sending server that gets no response tries again, so no email is
 * lost.
 *
 * Each staff member has a separate address in each conversation. Only email that the staff member sends to this address
 * is forwarded to the guest.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import { Attachments } from "../../file/Attachments.ts"
import { Files, maxFilesPerMessage } from "../../file/StoredFile.ts"
import { OrgStore } from "../../org/Orgs.ts"
import { deriveIdempotencyKey } from "../../port/idempotency.ts"
import { Ids } from "../../port/Ids.ts"
import { retryOnConflict, UnitOfWork } from "../../port/UnitOfWork.ts"
import { StaffStore } from "../../staff/StaffMember.ts"
import { currentTime } from "../../time/currentTime.ts"
import type { Conversation } from "../Conversation.ts"
import { ConversationStore } from "../ConversationStore.ts"
import { ConversationWriter } from "../ConversationWriter.ts"
import {
  findConversationByReplyToken,
  makeLoadGuestContact,
  makeStaffReplyToken,
  parseStaffReplyToken,
  provideTenantScope
} from "../findConversation.ts"
import type { MessageKind } from "../message/Message.ts"
import { MessageStore } from "../message/MessageStore.ts"
import type { AttachmentRef } from "../message/MessageView.ts"
import { StaffConversations } from "../StaffConversations.ts"
import { type DeliveryReport, makeRecordDeliveryReport } from "./recordDeliveryReport.ts"

/** The name and the address from an email header. */
export interface MailAddress {
  readonly name: string
  readonly email: string
}

/** An address for replies from the guest, `reply+<token>`, or from a staff member, `team+<token>`. */
export interface ReplyAddress {
  readonly purpose: "reply" | "team"
  readonly token: string
}

/** The facts needed to parse an email to a conversation. */
export interface ReplyContext {
  readonly orgName: string
  /** The email address of the only accepted sender. */
  readonly senderEmail: string
  /** The local parts of Trailbook's addresses for this conversation, such as `reply+<token>`. */
  readonly addresses: ReadonlyArray<string>
  /**
   * The texts that the sender received in emails, newest first, from at most 50 messages. A line that repeats one of
   * these texts is quoted text.
   */
  readonly sent: ReadonlyArray<string>
  /**
   * Whether the email is forwarded in the outfitter's name. If so, the sender must be authenticated, and no placeholder
   * replaces unreadable text.
   */
  readonly strict: boolean
}

/** A file attached to an email. */
export interface InboundAttachment {
  readonly name: string
  /** The type that the email declares. The actual type is detected from the bytes. */
  readonly type: string
  readonly bytes: Uint8Array
}

/** A parsed email to a conversation. */
export interface ParsedMail {
  /**
   * A key that is the same for each copy of an email. It is a digest of the Message-ID, or of the complete email if it
   * has no Message-ID.
   */
  readonly mailKey: string
  /** The Message-ID that replies reference. Null if the email has none. */
  readonly messageId: string | null
  /** The single From address. */
  readonly from: MailAddress
  readonly subject: string
  /** The body without quoted text. */
  readonly body: string
  /** The removed quoted text, or an empty string. */
  readonly quotedText: string
  readonly files: ReadonlyArray<InboundAttachment>
  /**
   * Whether a machine wrote the email. Such an email is stored, but it does not count as a message from the guest and
   * is not acknowledged.
   */
  readonly automatic: boolean
}

/**
 * The result for an email. `taken` means that the email was stored, `again` that it was already stored, and `dropped`
 * that it was not stored.
 */
export type MailIntakeResult = "taken" | "again" | "dropped"

/** Why an email was dropped. */
export type MailDropReason =
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

export class MailIntake extends Context.Tag("@trailbook/core/MailIntake")<
  MailIntake,
  {
    /**
     * Finds the conversation for an address. Returns `None` if the guest was erased or the staff member was removed.
     */
    readonly loadReplyContext: (address: ReplyAddress) => Effect.Effect<Option.Option<ReplyContext>>
    /**
     * Stores an email once. An email from a guest becomes a message to the outfitter, and an email from a staff member
     * becomes a message to the guest. The message and its effects are stored in one transaction. The sender is checked
     * again.
     */
    readonly acceptReply: (reply: ReplyAddress & ParsedMail) => Effect.Effect<MailIntakeResult>
    /** Returns whether this token is valid in a delivery report. */
    readonly isReportable: (token: string) => Effect.Effect<boolean>
    /**
     * Records the delivery result on the message. If the email was not a message, records the result as a note in the
     * conversation. Unknown tokens are ignored.
     */
    readonly recordReport: (report: DeliveryReport) => Effect.Effect<void>
    /** Counts an email that the mail server dropped, without its content. */
    readonly drop: (reason: MailDropReason) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(MailIntake, Effect.suspend(() => makeMailIntake)).pipe(
    Layer.provide(StaffConversations.layer)
  )
}

const makeMailIntake = Effect.gen(function*() {
  const attachments = Option.zipLeft(
    yield* Effect.serviceOption(Attachments),
    Option.filter(yield* Effect.serviceOption(Files), (files) => !Files.isNowhere(files))
  )
  const quota = Option.getOrUndefined(yield* Effect.serviceOption(GuestQuota))
  const loadGuestContact = yield* makeLoadGuestContact
  const { addInbound } = yield* ConversationWriter
  const ids = yield* Ids
  const messages = yield* MessageStore
  const orgs = yield* OrgStore
  const { send } = yield* StaffConversations
  const staff = yield* StaffStore
  const store = yield* ConversationStore
  const findByToken = findConversationByReplyToken(store)
  const { run } = yield* UnitOfWork

  /** Finds the conversation and the only accepted sender for an address. */
  const findConversation = ({ purpose, token }: ReplyAddress) =>
    Effect.gen(function*() {
      const ownToken = purpose === "team" ? parseStaffReplyToken(token) : token
      const conversation = yield* findByToken(ownToken)
      if (conversation === undefined) return undefined
      return yield* provideTenantScope(conversation.orgId)(Effect.gen(function*() {
        const guest = yield* loadGuestContact(conversation)
        if (guest.email === "") return undefined
        if (purpose === "reply") return { conversation, senderEmail: guest.email }
        const member = (yield* staff.list(conversation.orgId))
          .find(({ id }) => makeStaffReplyToken(ids, ownToken, id) === token)
        return member && { conversation, senderEmail: member.email }
      }))
    })

  /**
   * Stores an email's files, outside transactions, and lists the files that cannot be stored. A guest's files count
   * against the daily quota of the guest's conversation.
   */
  const storeFiles = (orgId: string, { files }: ParsedMail, guest?: Conversation) =>
    Effect.gen(function*() {
      const sender = guest && { orgId, id: guest.id, now: yield* currentTime }
      const storedFiles: Array<AttachmentRef> = []
      const lossNotes: Array<string> = []
      for (const [at, { bytes, name }] of files.entries()) {
        const file = Option.isNone(attachments) || at >= maxFilesPerMessage
          ? Either.left("file storage is not configured")
          : sender && quota?.waitForFiles(sender) !== undefined
          ? Either.left("the daily file limit was reached")
          : yield* Effect.either(
            attachments.value.keep({ orgId, name, bytes }).pipe(
              // Fail the delivery while file storage is unavailable, so that the sending server retries.
              Effect.catchIf(({ code }) => code === "unavailable", Effect.die),
              Effect.mapError(({ message }) => message)
            )
          )
        if (Either.isRight(file)) {
          storedFiles.push({ id: file.right.id, name: file.right.name })
          if (sender) quota?.chargeFile(sender, file.right.size)
        } else lossNotes.push(`[${name || "A file"} was not stored: ${file.left}]`)
      }
      return { lossNotes, storedFiles }
    })

  const isFromGuest = (conversation: Conversation, { from }: ParsedMail) =>
    Effect.map(loadGuestContact(conversation), ({ email }) => email !== "" && email === from.email.toLowerCase())

  const acceptFromGuest = (mail: ParsedMail, target: Conversation): Effect.Effect<MailIntakeResult> =>
    Effect.gen(function*() {
      const isAlreadyStored = Effect.map(messages.findByMailKey(target.orgId, mail.mailKey), Option.isSome)
      // Check before storing the files so that none are stored if the email is already known or has another sender.
      if (yield* isAlreadyStored) return "again"
      if (!(yield* isFromGuest(target, mail))) return "dropped"
      const { lossNotes, storedFiles } = yield* storeFiles(target.orgId, mail, target)
      return yield* retryOnConflict(run(Effect.gen(function*() {
        const [conversation] = yield* store.lock([target])
        // A different token means that the guest has been erased.
        if (conversation === undefined || conversation.token !== target.token) return "dropped"
        // Copies of an email can arrive concurrently.
        if (yield* isAlreadyStored) return "again"
        if (!(yield* isFromGuest(conversation, mail))) return "dropped"
        // The files were stored for this message, so no other message can use them.
        yield* Effect.orDie(addInbound(conversation, {
          body: [mail.body, ...lossNotes].join("\n\n"),
          files: storedFiles,
          cut: mail.quotedText,
          subject: mail.subject,
          channel: "email",
          fromName: mail.from.name,
          fromEmail: mail.from.email.toLowerCase(),
          mailKey: mail.mailKey,
          mailId: mail.messageId,
          automatic: mail.automatic
        }))
        return "taken"
      })))
    })

  const acceptFromStaff = (
    { token, ...mail }: ReplyAddress & ParsedMail,
    { id: conversationId, orgId }: Conversation
  ): Effect.Effect<MailIntakeResult> =>
    Effect.gen(function*() {
      const { lossNotes, storedFiles } = yield* storeFiles(orgId, mail)
      const sendMessage = (kind: MessageKind, body: string, files: ReadonlyArray<AttachmentRef>) => {
        const key = deriveIdempotencyKey(ids, `${orgId} ${token} ${mail.mailKey} ${kind}`)
        return send({
          orgId,
          to: { conversationId },
          body,
          subject: "",
          kind,
          sentBy: "dashboard",
          files,
          // If the sending server retries, no second message is stored.
          keyed: () => ({ orgId, operation: "mail.answer", key, fingerprint: mail.mailKey, derived: false })
        })
      }
      return yield* sendMessage("message", mail.body, storedFiles).pipe(
        // Lost files are reported to the staff in a note, not to the guest.
        Effect.zipRight(lossNotes.length === 0 ? Effect.void : sendMessage("note", lossNotes.join("\n\n"), [])),
        Effect.as("taken" as const),
        // The guest was erased in the meantime, or a copy of the email has already used the files.
        Effect.catchAll(({ code }) =>
          Effect.succeed(code === "attachment_used" ? "again" as const : "dropped" as const)
        )
      )
    })

  return MailIntake.of({
    loadReplyContext: (address) =>
      Effect.gen(function*() {
        const match = yield* findConversation(address)
        if (match === undefined) return Option.none()
        const { conversation, senderEmail } = match
        const isForStaff = address.purpose === "team"
        return yield* provideTenantScope(conversation.orgId)(Effect.gen(function*() {
          const org = yield* orgs.find(conversation.orgId)
          const latestMessages = yield* messages.latest(conversation, maxQuotedMessages)
          return Option.map(org, ({ name: orgName }) => ({
            orgName,
            senderEmail,
            addresses: isForStaff
              ? [`team+${address.token}`]
              : [...new Set([`reply+${address.token}`, `reply+${conversation.token}`])],
            sent: latestMessages
              .filter(({ direction, kind }) =>
                kind === "message" && direction === (isForStaff ? "to_outfitter" : "to_guest")
              )
              .map(({ body }) => body),
            strict: isForStaff
          }))
        }))
      }),
    acceptReply: (reply) =>
      Effect.gen(function*() {
        const match = yield* findConversation(reply)
        const isFromStaff = reply.purpose === "team"
        const result = match === undefined || (isFromStaff && match.senderEmail !== reply.from.email.toLowerCase())
          ? "dropped"
          : yield* provideTenantScope(match.conversation.orgId)(
            (isFromStaff ? acceptFromStaff : acceptFromGuest)(reply, match.conversation)
          )
        if (result === "dropped") yield* countDroppedMail("stranger")
        return result
      }),
    isReportable: (token) =>
      Effect.flatMap(messages.findByBounceToken(token), (message) =>
        Option.isSome(message)
          ? Effect.succeed(true)
          : Effect.map(findByToken(token), (conversation) => conversation !== undefined)),
    recordReport: yield* makeRecordDeliveryReport,
    drop: countDroppedMail
  })
})

/** The number of messages in a conversation to search for quoted text. */
const maxQuotedMessages = 50

const droppedMailCounter = Metric.counter("mail_dropped", {
  description: "Dropped inbound emails, by reason.",
  incremental: true
})

const countDroppedMail = (reason: MailDropReason): Effect.Effect<void> =>
  Metric.update(Metric.tagged(droppedMailCounter, "reason", reason), 1)

/** The sender of a form or an email. */
export interface GuestSender {
  readonly orgId: string
  /** The ID of the page's booking, or of the email's conversation. */
  readonly id: string
  /** The current time in epoch milliseconds. */
  readonly now: number
}

/** Limits how much guests can store in 24 hours, per booking page, per email conversation, and per org. */
export class GuestQuota extends Context.Tag("@trailbook/core/GuestQuota")<
  GuestQuota,
  {
    /** Counts a message. If the quota is exhausted, returns the seconds until the next message is accepted. */
    readonly takeMessage: (sender: GuestSender) => number | undefined
    /** If the byte quota is exhausted, returns the seconds until files are accepted again. */
    readonly waitForFiles: (sender: GuestSender) => number | undefined
    /** Counts a stored file. The last file can exceed the quota, and the excess delays the next file. */
    readonly chargeFile: (sender: GuestSender, bytes: number) => void
  }
>() {}
