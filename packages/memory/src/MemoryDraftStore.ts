import { DraftStore } from "@trailbook/core/conversation/DraftStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { putOfOrg, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<DraftStore, never, MemoryDatabase> = Layer.effect(
  DraftStore,
  Effect.map(MemoryDatabase, ({ read, write }) =>
    DraftStore.of({
      asked: (orgId) => read(({ drafts }) => [...Table.range(drafts, "asked", orgId)].map(({ at }) => at)),
      add: (draft) => write((tables) => ({ ...tables, drafts: putOfOrg(tables, tables.drafts, [draft]) })),
      remove: ({ id, orgId }) =>
        write((tables) => ({ ...tables, drafts: Table.remove(tables.drafts, within(orgId, id)) })),
      forget: (orgId, until) =>
        write((tables) => ({
          ...tables,
          drafts: [...Table.range(tables.drafts, "asked", orgId)]
            .filter(({ at }) => at <= until)
            .reduce((drafts, { id }) => Table.remove(drafts, within(orgId, id)), tables.drafts)
        }))
    }))
)
