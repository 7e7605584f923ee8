import { SavedReplyStore } from "@trailbook/core/conversation/saved-reply/SavedReplyStore"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { orgKey, putOfOrg } from "./Tables.ts"

export const layer = storeLayer(SavedReplyStore, ({ read, write }) => ({
  lock: ({ id, orgId }) => read(({ savedReplies }) => Table.find(savedReplies, orgKey(orgId, id))),
  list: (orgId) => read(({ savedReplies }) => [...Table.range(savedReplies, "created", orgId)]),
  put: (reply) => write((tables) => ({ ...tables, savedReplies: putOfOrg(tables, tables.savedReplies, [reply]) })),
  remove: ({ id, orgId }) =>
    write((tables) => ({ ...tables, savedReplies: Table.remove(tables.savedReplies, orgKey(orgId, id)) }))
}))
