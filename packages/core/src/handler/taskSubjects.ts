import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { BookingStore } from "../booking/BookingStore.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import type { Conversation } from "../conversation/Conversation.ts"
import { ConversationStore } from "../conversation/ConversationStore.ts"
import type { Message } from "../conversation/message/Message.ts"
import { MessageStore } from "../conversation/message/MessageStore.ts"
import { Files, FileStore, type StoredFile, toStorageKey } from "../file/StoredFile.ts"
import type { MailAttachment } from "../mail/Mailer.ts"
import { toSingleLine } from "../mail/toSingleLine.ts"
import type { Offering } from "../offering/Offering.ts"
import { OfferingStore } from "../offering/OfferingStore.ts"
import type { Org } from "../org/Org.ts"
import { OrgStore } from "../org/Orgs.ts"
import * as Handler from "../task/Handler.ts"
import type { Task } from "../task/Task.ts"

/** The booking for a task. */
export interface BookingSubject {
  readonly record: BookingRecord
  readonly org: Org
  readonly offering: Offering | undefined
}

/** Loads the bookings for tasks, with their orgs and offerings. */
export const makeLoadBookingSubjects = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const offerings = yield* OfferingStore
  const withOrgs = yield* makeAttachOrg
  return (tasks: ReadonlyArray<Task>): Effect.Effect<ReadonlyArray<BookingSubject | undefined>> =>
    Effect.gen(function*() {
      const records = yield* bookings.find(tasks.map(({ orgId, subjectId: id }) => ({ orgId, id })))
      const places = yield* offerings.find(records.map(({ booking: { offeringId: id, orgId } }) => ({ orgId, id })))
      return yield* withOrgs(tasks, ({ orgId, subjectId }) => {
        const record = records.find(({ booking }) => booking.id === subjectId && booking.orgId === orgId)
        const offering = places.find((place) => place.id === record?.booking.offeringId && place.orgId === orgId)
        return record && { record, offering }
      })
    })
})

/** The message for a task. */
export interface MessageSubject {
  readonly message: Message
  readonly conversation: Conversation
  readonly org: Org
}

/** Loads the messages for tasks, with their conversations. `idOf` returns the message ID of a task. */
export const makeLoadMessageSubjects = Effect.gen(function*() {
  const conversations = yield* ConversationStore
  const messages = yield* MessageStore
  const withOrgs = yield* makeAttachOrg
  return (
    tasks: ReadonlyArray<Task>,
    idOf: (task: Task) => string = ({ subjectId }) => subjectId
  ): Effect.Effect<ReadonlyArray<MessageSubject | undefined>> =>
    Effect.gen(function*() {
      const rows = yield* messages.find(tasks.map((task) => ({ orgId: task.orgId, id: idOf(task) })))
      const threads = yield* conversations.find(rows.map(({ conversationId: id, orgId }) => ({ orgId, id })))
      return yield* withOrgs(tasks, (task) => {
        const message = rows.find((row) => row.id === idOf(task) && row.orgId === task.orgId)
        const conversation = threads.find((row) => row.id === message?.conversationId && row.orgId === task.orgId)
        return message && conversation && { message, conversation }
      })
    })
})

/**
 * Adds the org to each task's subject. The result is undefined if the org or the subject no longer exists. Each org is
 * read once.
 */
export const makeAttachOrg = Effect.map(
  OrgStore,
  ({ find }) => <Subject extends object>(tasks: ReadonlyArray<Task>, subjectOf: (task: Task) => Subject | undefined) =>
    Effect.map(Effect.forEach(new Set(tasks.map(({ orgId }) => orgId)), find), (orgOptions) => {
      const orgs = new Map(orgOptions.flatMap(Option.toArray).map((org) => [org.id, org]))
      return tasks.map((task) => {
        const subject = subjectOf(task)
        const org = orgs.get(task.orgId)
        return subject && org && { ...subject, org }
      })
    })
)

/** Runs a task's work. Failures are retried unless they are marked as permanent. */
export const runAsTask = (
  work: Effect.Effect<unknown, { readonly message: string; readonly permanent?: boolean }>
): Effect.Effect<"done", Handler.TaskFailed> =>
  Effect.mapBoth(work, {
    onSuccess: () => "done" as const,
    onFailure: ({ message, permanent = false }) => new Handler.TaskFailed({ message, permanent })
  })

/** The maximum total size of attachments. Mail servers reject larger emails. */
const maxTogetherBytes = 7 * 1024 * 1024

/** The files to attach to an email. */
export interface LoadedAttachments {
  readonly attachments: ReadonlyArray<MailAttachment>
  /** Files too large to attach. */
  readonly omittedFiles: ReadonlyArray<StoredFile>
}

/** Reads the message files that fit into an email, up to 7 MiB in total. */
export const makeLoadMailAttachments = Effect.gen(function*() {
  const files = yield* Files
  const store = yield* FileStore

  return (orgId: string, messageIds: ReadonlyArray<string>): Effect.Effect<LoadedAttachments, Handler.TaskFailed> =>
    Effect.gen(function*() {
      const attachments: Array<MailAttachment> = []
      const omittedFiles: Array<StoredFile> = []
      let bytesLeft = maxTogetherBytes
      for (const file of yield* store.ofMessages(orgId, messageIds)) {
        if (file.size > bytesLeft) {
          omittedFiles.push(file)
          continue
        }
        const content = yield* Effect.mapError(
          files.get(toStorageKey(file)),
          ({ message }) => new Handler.TaskFailed({ message, permanent: false })
        )
        if (Option.isNone(content)) continue
        bytesLeft -= file.size
        attachments.push({ name: toSingleLine(file.name), type: file.type, content: yield* bytesOf(content.value) })
      }
      return { attachments, omittedFiles }
    })
})

const bytesOf = (content: ReadableStream<Uint8Array>): Effect.Effect<Uint8Array, Handler.TaskFailed> =>
  Effect.tryPromise({
    try: async () => new Uint8Array(await new Response(content).arrayBuffer()),
    catch: () => new Handler.TaskFailed({ message: "An attachment could not be read.", permanent: false })
  })
