import { SavedReplyStore } from "@trailbook/core/conversation/SavedReplyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { putOfOrg, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<SavedReplyStore, never, MemoryDatabase> = Layer.effect(
  SavedReplyStore,
  Effect.map(MemoryDatabase, ({ read, write }) =>
    SavedReplyStore.of({
      lock: ({ id, orgId }) =>
        read(({ savedReplies }) => Option.fromNullable(Table.get(savedReplies, within(orgId, id)))),
      list: (orgId) => read(({ savedReplies }) => [...Table.range(savedReplies, "created", orgId)]),
      put: (reply) => write((tables) => ({ ...tables, savedReplies: putOfOrg(tables, tables.savedReplies, [reply]) })),
      remove: ({ id, orgId }) =>
        write((tables) => ({ ...tables, savedReplies: Table.remove(tables.savedReplies, within(orgId, id)) }))
    }))
)
