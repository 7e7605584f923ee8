import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import * as Table from "../Table.ts"
import { apiKeyTable } from "../table/apiKeyTable.ts"

type Row = RowOf<typeof apiKeyTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  ApiKeyStore,
  Effect.map(Database, (database) => {
    const { dialect, query, write } = database
    const apiKeys = dialect.table("api_keys")
    const select = `select ${list(apiKeyTable.columns, "k")} from ${apiKeys} k`
    // The key is what tells the org, so this one lookup is not within an org.
    const byId = `${select} where k.id = $1`
    const ofOrg = `${select} where k.org_id = $1 order by k.created_at, k.id`
    const put = Table.put(database, apiKeyTable)

    return ApiKeyStore.of({
      find: (id) =>
        Effect.map(query<Row>(byId, [id]), ([row]) => Option.map(Option.fromNullable(row), apiKeyTable.decode)),
      list: (orgId) => Effect.map(query<Row>(ofOrg, [orgId]), (rows) => rows.map(apiKeyTable.decode)),
      put: (key) => put([key]),
      touch: (id, at) => write(`update ${apiKeys} set last_used_at = $2 where id = $1`, [id, at])
    })
  })
)
