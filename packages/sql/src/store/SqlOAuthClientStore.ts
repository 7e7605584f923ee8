import { OAuthClientStore } from "@trailbook/core/oauth/OAuthClientStore"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { oauthClientTable } from "../table/oauthClientTable.ts"

/** OAuth clients belong to no org, so these statements are not scoped to one. */
export const layer = storeLayer(OAuthClientStore, (database) => {
  const { dialect, write } = database
  const rows = Rows.make(database, oauthClientTable, "a")
  const byId = `${rows.select} where a.client_id = $1`
  const removeUnused = `delete from ${rows.table} where client_id in (
      select a.client_id from ${rows.table} a where a.read_at < $1
        and not exists (select 1 from ${dialect.table("grants")} g where g.client_id = a.client_id)
      order by a.read_at, a.client_id limit $2
    )`

  return {
    find: (clientId) => rows.one(byId, [clientId]),
    put: rows.putOne,
    removeUnused: (before, limit) => write(removeUnused, [before, limit])
  }
})
