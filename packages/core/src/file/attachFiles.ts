import * as Effect from "effect/Effect"
import { notFound, type Refusal, refuse } from "../Refusal.ts"
import type { FileStore } from "./FileStore.ts"
import type { StoredFile } from "./StoredFile.ts"

/**
 * Gives files to a message, by these names and in this order, in the unit of work
 * that writes it. It locks them, after conversations and messages in the order of
 * locks. Given again to the message that they have, they stay with it; a file of another
 * message, or one that is named twice, is refused.
 *
 * @category effects
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
