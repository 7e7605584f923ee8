import { FileStore } from "@trailbook/core/file/FileStore"
import type { StoredFile } from "@trailbook/core/file/StoredFile"
import * as Effect from "effect/Effect"
import { ConstraintViolation } from "./ConstraintViolation.ts"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, findRows, orgKey, requireRow, type Tables } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(FileStore, ({ read, unitOfWork, write }) => {
  const ofMessages = (orgId: string, messageIds: ReadonlyArray<string>) => ({ files }: Tables) =>
    [...new Set(messageIds)].sort().flatMap((id) => [...Table.range(files, "ofMessage", orgKey(orgId, id))])

  /** Reads rows and removes them. */
  const taken = (rows: (tables: Tables) => ReadonlyArray<StoredFile>) =>
    unitOfWork.run(Effect.tap(read(rows), (all) => write((tables) => without(tables, all))))

  return {
    add: (file) =>
      write((tables) => {
        requireRow(tables.orgs, file.orgId)
        if (Table.get(tables.files, keyOf(file)) !== undefined) {
          throw new ConstraintViolation(`The file ${file.id} already exists.`)
        }
        return { ...tables, files: Table.put(tables.files, file) }
      }),
    find: (key) => read(({ files }) => Table.find(files, keyOf(key))),
    // No lock needed: transactions run one at a time.
    lock: (orgId, ids) =>
      read(({ files }) => findRows(files, ids.map((id) => ({ orgId, id }))).toSorted((a, b) => a.id < b.id ? -1 : 1)),
    use: (all) =>
      write((tables) => ({
        ...tables,
        files: all.reduce((files, file) => {
          const { messageId, name, position } = file
          return Table.change(files, keyOf(file), (known) => ({ ...known, messageId, name, position }))
        }, tables.files)
      })),
    ofMessages: (orgId, messageIds) => read(ofMessages(orgId, messageIds)),
    removeOfMessages: (orgId, messageIds) => taken(ofMessages(orgId, messageIds)),
    removeUnused: (madeBefore, limit) =>
      taken(({ files }) =>
        takeFirst(Table.range(files, "unused", everyOrg, { below: { at: madeBefore + 1, id: "" } }), limit)
      ),
    discard: (key) =>
      write((tables) => {
        const file = Table.get(tables.files, keyOf(key))
        return file?.messageId === null ? without(tables, [file]) : tables
      })
  }
})

const keyOf = ({ id, orgId }: Pick<StoredFile, "id" | "orgId">): string => orgKey(orgId, id)

const without = (tables: Tables, gone: ReadonlyArray<StoredFile>): Tables => ({
  ...tables,
  files: Table.removeRows(tables.files, gone)
})
