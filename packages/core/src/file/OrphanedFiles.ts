import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { TaskStore } from "../task/TaskStore.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { fileRemovalTasks } from "./fileRemovalTasks.ts"
import { FileStore } from "./FileStore.ts"
import { unusedHours } from "./StoredFile.ts"

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
            const removedFiles = yield* files.removeUnused(Instant.addMinutes(now, -60 * unusedHours), limit)
            yield* tasks.add(fileRemovalTasks(ids, removedFiles, now))
            return removedFiles.length
          }))
      })
    })
  )
}
