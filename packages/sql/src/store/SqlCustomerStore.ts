import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { among } from "../jsonParameter.ts"
import * as Rows from "../Rows.ts"
import { storeLayer } from "../storeLayer.ts"
import { customerTable } from "../table/customerTable.ts"
import { customerList } from "./customerList.ts"
import { putCustomers } from "./putCustomers.ts"

export const layer = storeLayer(CustomerStore, (database) => {
  const { dialect } = database
  const rows = Rows.make(database, customerTable, "c")
  const lockByEmail = `${rows.select} where ${among(dialect, "c", "email", "email")} and c.erased_at is null
    order by c.id, c.org_id${rows.locked}`

  return {
    find: rows.findAll,
    lock: rows.lockAll,
    lockByEmail: (keys) => rows.ofRecords(lockByEmail, keys.map(({ email, orgId }) => ({ org_id: orgId, email }))),
    list: customerList(database),
    put: putCustomers(database)
  }
})
