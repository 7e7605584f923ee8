import { type UnfinishedKey, UnfinishedStore } from "@trailbook/core/port/UnfinishedStore"
import { firstOf } from "./firstOf.ts"
import { over } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, putOfOrg, unfinishedKey } from "./Tables.ts"

/**
 * @category layers
 */
export const layer = over(UnfinishedStore, ({ read, write }) => {
  const find = (key: UnfinishedKey) => read(({ unfinished }) => Table.find(unfinished, unfinishedKey(key)))
  return {
    find,
    // Units run one after the other: what one has read, no other changes before it ends.
    lock: find,
    put: (row) => write((tables) => ({ ...tables, unfinished: putOfOrg(tables, tables.unfinished, [row]) })),
    remove: (key) =>
      write((tables) => ({ ...tables, unfinished: Table.remove(tables.unfinished, unfinishedKey(key)) })),
    untouchedSince: (moment, limit) =>
      read(({ unfinished }) =>
        firstOf(Table.range(unfinished, "touched", everyOrg, { below: { at: moment + 1, id: "" } }), limit)
      )
  }
})
