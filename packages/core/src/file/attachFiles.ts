import * as Effect from "effect/Effect"
import { notFound, type Refusal, refuse } from "../Refusal.ts"
import type { FileStore, StoredFile } from "./StoredFile.ts"

/**
 * Attaches files to a message, with these names and in this order, in the transaction that writes the message. The
 * files are locked after conversations and messages. The call is idempotent for the same message. Rejects a file that
 * belongs to another message or is listed twice.
 */
export const attachFiles = (store: FileStore["Type"]) =>
(
  orgId: string,
  attachments: ReadonlyArray<{ readonly id: string; readonly name: string }>,
  messageId: string
): Effect.Effect<ReadonlyArray<StoredFile>, Refusal<"not_found" | "attachment_used">> =>
  Effect.gen(function*() {
    if (attachments.length === 0) return []
    const filesById = new Map(
      (yield* store.lock(orgId, attachments.map(({ id }) => id))).map((file) => [file.id, file])
    )
    const attachedFiles: Array<StoredFile> = []
    for (const { id, name } of attachments) {
      const file = filesById.get(id)
      if (file === undefined) return yield* notFound("attachment", id)
      const isFree = file.messageId === null || file.messageId === messageId
      if (!isFree || attachedFiles.some((other) => other.id === id)) return yield* refuse("attachment_used", id)
      attachedFiles.push({ ...file, name, messageId, position: attachedFiles.length })
    }
    yield* store.use(attachedFiles)
    return attachedFiles
  })
