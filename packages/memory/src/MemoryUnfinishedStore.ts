import { type UnfinishedKey, UnfinishedStore } from "@trailbook/core/port/UnfinishedStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { firstOf } from "./firstOf.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, putOfOrg, unfinishedKey } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<UnfinishedStore, never, MemoryDatabase> = Layer.effect(
  UnfinishedStore,
  Effect.map(MemoryDatabase, ({ read, write }) => {
    const find = (key: UnfinishedKey) =>
      read(({ unfinished }) => Option.fromNullable(Table.get(unfinished, unfinishedKey(key))))
    return UnfinishedStore.of({
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
    })
  })
)
