import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { apiKeyTable } from "../table/apiKeyTable.ts"

export const layer = storeLayer(ApiKeyStore, (database) => {
  const { write } = database
  const rows = Rows.make(database, apiKeyTable, "k")
  // The key determines the org, so this lookup cannot be scoped to an org.
  const byId = `${rows.select} where k.id = $1`

  return {
    find: (id) => rows.one(byId, [id]),
    list: rows.ofOrg,
    put: rows.putOne,
    touch: (id, at) => write(`update ${rows.table} set last_used_at = $2 where id = $1`, [id, at])
  }
})
