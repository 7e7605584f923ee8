import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { layerOf } from "../layerOf.ts"
import * as Reader from "../Reader.ts"
import { among, forUpdate } from "../records.ts"
import { customerTable } from "../table/customerTable.ts"
import { customerList } from "./customerList.ts"
import { putCustomers } from "./putCustomers.ts"

/**
 * @category layers
 */
export const layer = layerOf(CustomerStore, (database) => {
  const { dialect } = database
  const rows = Reader.make(database, customerTable, "c")
  const locked = `order by c.id, c.org_id${forUpdate(dialect, "c")}`
  const byKeys = `${rows.select} where ${among(dialect, "c")}`
  const byEmail = `${rows.select} where ${among(dialect, "c", "email", "email")} and c.erased_at is null`

  return {
    find: rows.ofKeys(byKeys),
    lock: rows.ofKeys(`${byKeys} ${locked}`),
    lockByEmail: (keys) =>
      rows.ofRecords(`${byEmail} ${locked}`, keys.map(({ email, orgId }) => ({ org_id: orgId, email }))),
    list: customerList(database),
    put: putCustomers(database)
  }
})
