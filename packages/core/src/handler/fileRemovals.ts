import * as Effect from "effect/Effect"
import { Files } from "../file/Files.ts"
import { storageKey } from "../file/StoredFile.ts"
import * as Handler from "../task/Handler.ts"
import { completeAfter } from "./completeAfter.ts"

/**
 * Deletes the bytes of removed files. The deletion may be part of an erasure request, so it never fails permanently.
 * Failures of more than a day are shown to the staff.
 */
export const fileRemovals = Effect.map(Files, ({ remove }) =>
  Handler.make({
    triedForMinutes: Infinity,
    read: (tasks) => Effect.succeed(tasks),
    run: (_, { orgId, subjectId: id }) => completeAfter(remove(storageKey({ orgId, id })))
  }))
