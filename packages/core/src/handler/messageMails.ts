import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { guests } from "../conversation/guests.ts"
import type { Message } from "../conversation/Message.ts"
import { MessageStore } from "../conversation/MessageStore.ts"
import { reporting } from "../conversation/reporting.ts"
import { fileKey, filePath } from "../conversation/SentFiles.ts"
import { isReply, topicOf } from "../conversation/subjects.ts"
import { Files } from "../file/Files.ts"
import { FileStore } from "../file/FileStore.ts"
import { keyOf } from "../file/StoredFile.ts"
import { type Mail, type MailAttachment, Mailer, type MailThread } from "../mail/Mailer.ts"
import { messageIdOf } from "../mail/messageId.ts"
import { type LinkedFile, messageMail } from "../mail/messageMail.ts"
import { nameInMail } from "../mail/nameInMail.ts"
import { oneLine } from "../mail/oneLine.ts"
import { replyAddress } from "../mail/replyAddress.ts"
import { Ids } from "../port/Ids.ts"
import * as Handler from "../task/Handler.ts"
import { fiveDays } from "../task/patience.ts"
import { done } from "./done.ts"
import { type MessageSubject, messageSubjects } from "./messageSubjects.ts"
import type { Options } from "./TaskHandlers.ts"

/** Files of more than so many bytes together are linked to: mail servers refuse such mails. */
const maxTogetherBytes = 7 * 1024 * 1024

interface Carried {
  readonly attachments: ReadonlyArray<MailAttachment>
  /** Those that are too large to. */
  readonly left: ReadonlyArray<LinkedFile>
}

const bytesOf = (content: ReadableStream<Uint8Array>): Effect.Effect<Uint8Array, Handler.TaskFailed> =>
  Effect.tryPromise({
    try: async () => new Uint8Array(await new Response(content).arrayBuffer()),
    catch: () => new Handler.TaskFailed({ message: "A file could not be read.", permanent: false })
  })

/** How many mails before it a mail names. */
const maxReferences = 10

/**
 * Mails of messages to guests. One that is refused for good, or was tried for five
 * days, is a message that failed.
 *
 * @category handlers
 */
export const messageMails = ({ publicUrl, filesUrl = publicUrl, replyDomain }: Options) =>
  Effect.gen(function*() {
    const files = yield* Files
    const guestOf = yield* guests
    const ids = yield* Ids
    const mailer = yield* Mailer
    const messages = yield* MessageStore
    const read = yield* messageSubjects
    const report = yield* reporting
    const store = yield* FileStore

    /**
     * The earlier mails of the thread that a reply continues, which are those with the same subject. None without a reply
     * domain, because mail programs do not know the Message-IDs then.
     */
    const threadOf = ({ conversation, message }: MessageSubject): Effect.Effect<MailThread | null> =>
      Effect.gen(function*() {
        if (replyDomain === undefined || !isReply(message)) return null
        const topic = topicOf(message.subject)
        const before = (yield* messages.latest(conversation, 4 * maxReferences))
          .filter(({ createdAt, id, kind, subject }) =>
            kind === "message" && id !== message.id && createdAt <= message.createdAt && topicOf(subject) === topic
          )
          .flatMap((row) => {
            if (row.direction === "to_outfitter") return row.mailId === null ? [] : [{ row, id: row.mailId }]
            return [{ row, id: messageIdOf(row.id, replyDomain) }]
          })
          .slice(0, maxReferences)
        if (before.length === 0) return null
        const answered = before.find(({ row }) => row.direction === "to_outfitter")
        return { inReplyTo: (answered ?? before[0])?.id ?? null, references: before.map(({ id }) => id).toReversed() }
      })

    const mailOf = (
      subject: MessageSubject,
      to: Mail["to"],
      thread: MailThread | null,
      { attachments, left }: Carried
    ): Mail => {
      const { conversation, message, org } = subject
      const outfitter = oneLine(org.name)
      const address = replyAddress(conversation.token, replyDomain)
      return {
        id: message.id,
        from: { name: outfitter },
        to,
        replyTo: address === undefined ? null : { name: outfitter, email: address },
        // Messages of earlier versions have no subject of their own.
        subject: oneLine(message.subject || conversation.subject),
        ...messageMail(
          message.body,
          [outfitter, ...(address === undefined ? [] : ["You can answer this mail."])],
          left
        ),
        calendar: null,
        thread,
        // Keeps autoresponders from answering mail of the service. Only an acknowledgement is a reply.
        automatic: message.channel !== "system" ? "no" : isReply(message) ? "replied" : "generated",
        attachments,
        bounceToken: message.bounceToken
      }
    }

    /** The files that travel along, and links to those that are too large to. */
    const carried = (message: Message): Effect.Effect<Carried, Handler.TaskFailed> =>
      Effect.gen(function*() {
        const attachments: Array<MailAttachment> = []
        const left: Array<LinkedFile> = []
        const { id: messageId, orgId } = message
        let room = maxTogetherBytes
        for (const file of yield* store.ofMessages(orgId, [messageId])) {
          const name = oneLine(file.name)
          if (file.size > room) {
            const key = fileKey(ids, message, file.id) ?? ""
            left.push({ name, size: file.size, url: filesUrl + filePath({ orgId, id: file.id, key }) })
            continue
          }
          const content = yield* Effect.mapError(
            files.get(keyOf(file)),
            ({ message }) => new Handler.TaskFailed({ message, permanent: false })
          )
          if (Option.isNone(content)) continue
          room -= file.size
          attachments.push({ name, type: file.type, content: yield* bytesOf(content.value) })
        }
        return { attachments, left }
      })

    const reported = (message: Message, outcome: "delivered" | "failed", failure: string | null) =>
      message.bounceToken === null
        ? Effect.void
        : report({ bounceToken: message.bounceToken, outcome, failure })

    return Handler.make({
      triedForMinutes: fiveDays,
      read,
      run: (_, subject) =>
        Effect.gen(function*() {
          const guest = yield* guestOf(subject.conversation)
          // Nobody is left to write to, or nothing of what was to be said.
          if (guest.email === "" || isEmptied(subject.message)) return "done" as const
          const to = { name: nameInMail(guest.name), email: guest.email }
          const mail = mailOf(subject, to, yield* threadOf(subject), yield* carried(subject.message))
          // Without a report, that it was taken is all that will ever be known.
          return yield* done(
            Effect.tap(
              mailer.send(mail),
              ({ reportRequested }) => reportRequested ? Effect.void : reported(subject.message, "delivered", null)
            )
          )
        }),
      givenUp: ({ orgId, subjectId: id }, { message: failure }) =>
        Effect.flatMap(
          messages.find([{ orgId, id }]),
          ([message]) => message === undefined ? Effect.void : reported(message, "failed", failure)
        )
    })
  })

const isEmptied = ({ body }: Message): boolean => body === ""
