import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../Database.ts"
import * as Reader from "../Reader.ts"
import { among, forUpdate } from "../records.ts"
import { customerTable } from "../table/customerTable.ts"
import { customerList } from "./customerList.ts"
import { putCustomers } from "./putCustomers.ts"

/**
 * @category layers
 */
export const layer = Layer.effect(
  CustomerStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const rows = Reader.make(database, customerTable, "c")
    const locked = `order by c.id, c.org_id${forUpdate(dialect, "c")}`
    const byKeys = `${rows.select} where ${among(dialect, "c")}`
    const byEmail = `${rows.select}
      where (c.org_id, c.email) in (
        select org_id, email from ${dialect.records("$1", { org_id: "text", email: "text" })} as asked
      ) and c.erased_at is null`

    return CustomerStore.of({
      find: rows.ofKeys(byKeys),
      lock: rows.ofKeys(`${byKeys} ${locked}`),
      lockByEmail: (keys) => {
        const asked = keys.map(({ email, orgId }) => ({ org_id: orgId, email }))
        return rows.ofRecords(`${byEmail} ${locked}`, asked)
      },
      list: customerList(database),
      put: putCustomers(database)
    })
  })
)
