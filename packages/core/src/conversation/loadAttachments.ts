import * as Effect from "effect/Effect"
import { type AttachmentView, attachmentView } from "../file/AttachmentView.ts"
import { FileStore } from "../file/FileStore.ts"
import type { Message } from "./Message.ts"

/**
 * A file that a message is to have, and what it is called there.
 *
 * @category models
 */
export interface AttachmentRef {
  readonly id: string
  readonly name: string
}

/**
 * A message with its files, as answers name them.
 *
 * @category models
 */
export interface SentMessage {
  readonly message: Message
  readonly attachments: ReadonlyArray<AttachmentView>
}

/**
 * Messages of one org with their files.
 *
 * @category reading
 */
export const loadAttachments = Effect.map(
  FileStore,
  ({ ofMessages }) => (messages: ReadonlyArray<Message>): Effect.Effect<ReadonlyArray<SentMessage>> => {
    const [first] = messages
    if (first === undefined) return Effect.succeed([])
    return Effect.map(ofMessages(first.orgId, messages.map(({ id }) => id)), (files) => {
      const byMessage = new Map(messages.map(({ id }) => [id, new Array<AttachmentView>()]))
      for (const file of files) byMessage.get(file.messageId ?? "")?.push(attachmentView(file))
      return messages.map((message) => ({ message, attachments: byMessage.get(message.id) ?? [] }))
    })
  }
)
