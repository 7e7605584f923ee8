import * as Effect from "effect/Effect"
import { type AttachmentView, attachmentView } from "../file/AttachmentView.ts"
import { FileStore } from "../file/FileStore.ts"
import type { Message } from "./Message.ts"

/**
 * A file that a message is to have, and what it is called there.
 *
 * @category models
 */
export interface GivenFile {
  readonly id: string
  readonly name: string
}

/**
 * The files of messages of one org, as answers name them, by the message's id.
 *
 * @category reading
 */
export const attachmentsOf = Effect.map(
  FileStore,
  ({ ofMessages }) =>
  (messages: ReadonlyArray<Message>): Effect.Effect<ReadonlyMap<string, ReadonlyArray<AttachmentView>>> => {
    const [first] = messages
    if (first === undefined) return Effect.succeed(new Map())
    return Effect.map(ofMessages(first.orgId, messages.map(({ id }) => id)), (files) => {
      const byMessage = new Map<string, Array<AttachmentView>>()
      for (const file of files) {
        const id = file.messageId ?? ""
        byMessage.set(id, [...byMessage.get(id) ?? [], attachmentView(file)])
      }
      return byMessage
    })
  }
)
