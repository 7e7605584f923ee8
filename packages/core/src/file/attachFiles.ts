import * as Effect from "effect/Effect"
import { notFound, type Refusal, refuse } from "../Refusal.ts"
import type { FileStore } from "./FileStore.ts"
import type { StoredFile } from "./StoredFile.ts"

/**
 * Attaches files to a message, with these names and in this order, in the transaction that writes the message. Locks
 * the files after conversations and messages. The call is idempotent for the same message. Rejects a file that belongs
 * to another message or is listed twice.
 */
export const attachFiles = (store: FileStore["Type"]) =>
(
  orgId: string,
  given: ReadonlyArray<{ readonly id: string; readonly name: string }>,
  messageId: string
): Effect.Effect<ReadonlyArray<StoredFile>, Refusal<"not_found" | "attachment_used">> =>
  Effect.gen(function*() {
    if (given.length === 0) return []
    const found = new Map((yield* store.lock(orgId, given.map(({ id }) => id))).map((file) => [file.id, file]))
    const used: Array<StoredFile> = []
    for (const { id, name } of given) {
      const file = found.get(id)
      if (file === undefined) return yield* notFound("attachment", id)
      const isFree = file.messageId === null || file.messageId === messageId
      if (!isFree || used.some((other) => other.id === id)) return yield* refuse("attachment_used", id)
      used.push({ ...file, name, messageId, position: used.length })
    }
    yield* store.use(used)
    return used
  })
