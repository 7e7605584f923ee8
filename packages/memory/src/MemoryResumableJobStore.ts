import { type ResumableJobKey, ResumableJobStore } from "@trailbook/core/job/ResumableJobStore"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, putOfOrg, unfinishedKey } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(ResumableJobStore, ({ read, write }) => {
  const find = (key: ResumableJobKey) => read(({ unfinished }) => Table.find(unfinished, unfinishedKey(key)))
  return {
    find,
    // No lock needed: transactions run one at a time.
    lock: find,
    put: (row) => write((tables) => ({ ...tables, unfinished: putOfOrg(tables, tables.unfinished, [row]) })),
    remove: (key) =>
      write((tables) => ({ ...tables, unfinished: Table.remove(tables.unfinished, unfinishedKey(key)) })),
    untouchedSince: (moment, limit) =>
      read(({ unfinished }) =>
        takeFirst(Table.range(unfinished, "touched", everyOrg, { below: { at: moment + 1, id: "" } }), limit)
      )
  }
})
