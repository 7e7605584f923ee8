import type { FileStore, StoredFile } from "@trailbook/core/file"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { byCreation, byId, page } from "../page.ts"
import { within } from "../Rows.ts"
import { type Change, ConstraintViolation, findRows, get, inGroup, inGroups, type State } from "../State.ts"

export const fileStore = ({ read, unitOfWork, write }: Journal): FileStore["Type"] => {
  /** Deletes rows and returns them. */
  const takeRows = (rows: (state: State) => ReadonlyArray<StoredFile>) =>
    unitOfWork.run(Effect.tap(read(rows), (all) => write(() => all.map(deletionOf))))
  return {
    add: (row) =>
      write(({ files }) => {
        if (get(files, within(row.orgId, row.id)) !== undefined) {
          throw new ConstraintViolation(`The file ${row.id} already exists.`)
        }
        return [{ table: "files", row }]
      }),
    find: ({ id, orgId }) => read(({ files }) => Option.fromNullable(get(files, within(orgId, id)))),
    // Transactions run one after another, so a row cannot change between its read and the commit.
    lock: (orgId, ids) => read(({ files }) => byId(findRows(files, ids.map((id) => ({ orgId, id }))))),
    use: (all) =>
      write(({ files }) =>
        all.flatMap((file): ReadonlyArray<Change> => {
          const row = get(files, within(file.orgId, file.id))
          const { messageId, name, position } = file
          return row === undefined ? [] : [{ table: "files", row: { ...row, messageId, name, position } }]
        })
      ),
    ofMessages: (orgId, messageIds) => read((state) => ofMessages(state, orgId, messageIds)),
    removeOfMessages: (orgId, messageIds) => takeRows((state) => ofMessages(state, orgId, messageIds)),
    removeUnused: (madeBefore, limit) =>
      takeRows(({ files }) => {
        const old = inGroup(files, "unused").filter(({ createdAt }) => createdAt <= madeBefore)
        return page(old, byCreation, { limit })
      }),
    discard: ({ id, orgId }) =>
      write(({ files }) => {
        const row = get(files, within(orgId, id))
        return row?.messageId === null ? [deletionOf(row)] : []
      })
  }
}

const deletionOf = (row: StoredFile): Change => ({ table: "files", row, gone: true })

const ofMessages = ({ files }: State, orgId: string, messageIds: ReadonlyArray<string>): ReadonlyArray<StoredFile> =>
  inGroups(files, messageIds.map((id) => `message ${within(orgId, id)}`)).toSorted((a, b) =>
    a.messageId === b.messageId ? a.position - b.position : (a.messageId ?? "") < (b.messageId ?? "") ? -1 : 1
  )
