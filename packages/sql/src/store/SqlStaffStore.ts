import { StaffStore } from "@trailbook/core/staff/StaffStore"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import * as Table from "../Table.ts"
import { staffTable } from "../table/staffTable.ts"

export const layer = storeLayer(StaffStore, (database) => {
  const { dialect, erase } = database
  const rows = Rows.make(database, staffTable, "s")
  // Not scoped to an org, because a sign-in request names none.
  const withEmail = `${rows.select} where s.email = $1 order by s.org_id`
  const remove = `delete from ${rows.table} where org_id = $1 and id = $2`

  return {
    list: rows.ofOrg,
    withEmail: (email) => rows.all(withEmail, [email]),
    // Uses `erase`, so that replaced names and addresses leave no copy in the database files.
    put: Table.writeOne(Table.put({ dialect, write: erase }, staffTable)),
    remove: ({ id, orgId }) => erase(remove, [orgId, id])
  }
})
