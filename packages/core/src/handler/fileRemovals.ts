import * as Effect from "effect/Effect"
import { Files } from "../file/Files.ts"
import { storageKey } from "../file/StoredFile.ts"
import * as Handler from "../task/Handler.ts"
import { completeAfter } from "./completeAfter.ts"

/**
 * Bytes of a file that nobody has any more. Somebody may have asked for it, so it is
 * never given up; what has failed for a day is shown to people.
 *
 * @category handlers
 */
export const fileRemovals = Effect.map(Files, ({ remove }) =>
  Handler.make({
    triedForMinutes: Infinity,
    read: (tasks) => Effect.succeed(tasks),
    run: (_, { orgId, subjectId: id }) => completeAfter(remove(storageKey({ orgId, id })))
  }))
