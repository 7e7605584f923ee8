import type { Ids } from "../port/Ids.ts"
import * as Task from "../task/Task.ts"
import type { Instant } from "../time/Instant.ts"
import type { StoredFile } from "./StoredFile.ts"

/**
 * Creates the tasks that delete the bytes of removed files after the commit. The caller must add the tasks in the
 * transaction that removes the rows.
 */
export const fileRemovalTasks = (
  ids: Ids["Type"],
  files: ReadonlyArray<Pick<StoredFile, "id" | "orgId">>,
  now: Instant
): ReadonlyArray<Task.Task> =>
  files.map(({ id, orgId }) => Task.make({ id: ids.uuid(), orgId, kind: "file.remove", subjectId: id, dueAt: now }))
