import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import * as Task from "../task/Task.ts"
import { TaskStore } from "../task/Tasks.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { FileStore, type StoredFile, unusedFileRetentionHours } from "./StoredFile.ts"

/** Deletes uploaded files that no message has used within a day. */
export class OrphanedFiles extends Context.Tag("@trailbook/core/OrphanedFiles")<
  OrphanedFiles,
  {
    /** Deletes up to `limit` of these files and returns how many were deleted. Tasks delete the bytes. */
    readonly sweep: (limit: number) => Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.effect(
    OrphanedFiles,
    Effect.gen(function*() {
      const files = yield* FileStore
      const ids = yield* Ids
      const tasks = yield* TaskStore
      const { run } = yield* UnitOfWork
      return OrphanedFiles.of({
        sweep: (limit) =>
          run(Effect.gen(function*() {
            const now = yield* currentTime
            const removedFiles = yield* files.removeUnused(
              Instant.addMinutes(now, -60 * unusedFileRetentionHours),
              limit
            )
            yield* tasks.add(makeFileRemovalTasks(ids, removedFiles, now))
            return removedFiles.length
          }))
      })
    })
  )
}

/**
 * Creates the tasks that delete the bytes of removed files after the commit. The caller must add the tasks in the
 * transaction that removes the rows.
 */
export const makeFileRemovalTasks = (
  ids: Ids["Type"],
  files: ReadonlyArray<Pick<StoredFile, "id" | "orgId">>,
  now: Instant.Instant
): ReadonlyArray<Task.Task> =>
  files.map(({ id, orgId }) => Task.make({ id: ids.uuid(), orgId, kind: "file.remove", subjectId: id, dueAt: now }))
