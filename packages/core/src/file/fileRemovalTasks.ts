import type { Ids } from "../port/Ids.ts"
import * as Task from "../task/Task.ts"
import type { Instant } from "../time/Instant.ts"
import type { StoredFile } from "./StoredFile.ts"

/**
 * What takes the bytes of files away whose rows are gone, once that is committed: a
 * task each, to be added in the unit of work that removes the rows.
 *
 * @category constructors
 */
export const fileRemovalTasks = (
  ids: Ids["Type"],
  files: ReadonlyArray<Pick<StoredFile, "id" | "orgId">>,
  now: Instant
): ReadonlyArray<Task.Task> =>
  files.map(({ id, orgId }) => Task.make({ id: ids.uuid(), orgId, kind: "file.remove", subjectId: id, dueAt: now }))
