import { StaffStore } from "@trailbook/core/staff/StaffStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import * as Table from "../Table.ts"
import { staffTable } from "../table/staffTable.ts"

type Row = RowOf<typeof staffTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  StaffStore,
  Effect.map(Database, (database) => {
    const { dialect, erase, query } = database
    const staff = dialect.table("staff")
    const ofOrg = `select ${list(staffTable.columns, "s")} from ${staff} s
      where s.org_id = $1 order by s.created_at, s.id`
    // Who signs in says no org.
    const withEmail = `select ${list(staffTable.columns, "s")} from ${staff} s where s.email = $1 order by s.org_id`
    const remove = `delete from ${staff} where org_id = $1 and id = $2`
    // A name or an address that is replaced is gone as well.
    const put = Table.put({ dialect, write: erase }, staffTable)

    return StaffStore.of({
      list: (orgId) => Effect.map(query<Row>(ofOrg, [orgId]), (rows) => rows.map(staffTable.decode)),
      withEmail: (email) => Effect.map(query<Row>(withEmail, [email]), (rows) => rows.map(staffTable.decode)),
      put: (member) => put([member]),
      remove: ({ id, orgId }) => erase(remove, [orgId, id])
    })
  })
)
