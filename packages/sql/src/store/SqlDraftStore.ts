import { DraftStore } from "@trailbook/core/conversation/draft/DraftStore"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { storeLayer } from "../storeLayer.ts"
import * as Table from "../Table.ts"
import { draftTable } from "../table/draftTable.ts"

export const layer = storeLayer(DraftStore, (database) => {
  const { dialect, query, write } = database
  const table = dialect.table("drafts")
  const asked = `select at from ${table} where org_id = $1 order by at`
  return {
    asked: (orgId) =>
      Effect.map(
        query<{ readonly at: number | string }>(asked, [orgId]),
        (rows) => rows.map(({ at }) => Instant.make(Number(at)))
      ),
    add: Table.writeOne(Table.insert(database, draftTable)),
    remove: ({ id, orgId }) => write(`delete from ${table} where org_id = $1 and id = $2`, [orgId, id]),
    forget: (orgId, until) => write(`delete from ${table} where org_id = $1 and at <= $2`, [orgId, until])
  }
})
