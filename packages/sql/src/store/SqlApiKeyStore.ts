import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../Database.ts"
import * as Reader from "../Reader.ts"
import * as Table from "../Table.ts"
import { apiKeyTable } from "../table/apiKeyTable.ts"

/**
 * @category layers
 */
export const layer = Layer.effect(
  ApiKeyStore,
  Effect.map(Database, (database) => {
    const { write } = database
    const rows = Reader.make(database, apiKeyTable, "k")
    // The key is what tells the org, so this one lookup is not within an org.
    const byId = `${rows.select} where k.id = $1`
    const ofOrg = `${rows.select} where k.org_id = $1 order by k.created_at, k.id`

    return ApiKeyStore.of({
      find: (id) => rows.one(byId, [id]),
      list: (orgId) => rows.all(ofOrg, [orgId]),
      put: Table.one(Table.put(database, apiKeyTable)),
      touch: (id, at) => write(`update ${rows.table} set last_used_at = $2 where id = $1`, [id, at])
    })
  })
)
