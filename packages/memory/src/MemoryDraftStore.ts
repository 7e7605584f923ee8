import { DraftStore } from "@trailbook/core/conversation/draft/DraftStore"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { orgKey, putOfOrg } from "./Tables.ts"

export const layer = storeLayer(DraftStore, ({ read, write }) => ({
  asked: (orgId) => read(({ drafts }) => [...Table.range(drafts, "asked", orgId)].map(({ at }) => at)),
  add: (draft) => write((tables) => ({ ...tables, drafts: putOfOrg(tables, tables.drafts, [draft]) })),
  remove: ({ id, orgId }) => write((tables) => ({ ...tables, drafts: Table.remove(tables.drafts, orgKey(orgId, id)) })),
  forget: (orgId, until) =>
    write((tables) => ({
      ...tables,
      drafts: Table.removeRows(
        tables.drafts,
        [...Table.range(tables.drafts, "asked", orgId)].filter(({ at }) => at <= until)
      )
    }))
}))
