import * as Effect from "effect/Effect"
import { type AttachmentView, attachmentView, FileStore } from "../../file/StoredFile.ts"
import type { Message } from "./Message.ts"

/** A file to attach to a message, with its name in the message. */
export interface AttachmentRef {
  readonly id: string
  readonly name: string
}

/** A message with its files, as the API returns it. */
export interface MessageWithAttachments {
  readonly message: Message
  readonly attachments: ReadonlyArray<AttachmentView>
}

/** Loads the files for messages in one org. */
export const makeLoadMessageAttachments = Effect.map(
  FileStore,
  ({ ofMessages }) => (messages: ReadonlyArray<Message>): Effect.Effect<ReadonlyArray<MessageWithAttachments>> => {
    const [first] = messages
    if (first === undefined) return Effect.succeed([])
    return Effect.map(ofMessages(first.orgId, messages.map(({ id }) => id)), (files) => {
      const byMessage = new Map(messages.map(({ id }) => [id, new Array<AttachmentView>()]))
      for (const file of files) byMessage.get(file.messageId ?? "")?.push(attachmentView(file))
      return messages.map((message) => ({ message, attachments: byMessage.get(message.id) ?? [] }))
    })
  }
)
