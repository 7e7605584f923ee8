import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import type { Key } from "@trailbook/core/offering/OfferingStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import { among, forUpdate, keyRecord, queryFor } from "../records.ts"
import { customerTable } from "../table/customerTable.ts"
import { customerList } from "./customerList.ts"
import { putCustomers } from "./putCustomers.ts"

type Row = RowOf<typeof customerTable.columns>

/**
 * @category layers
 */
export const layer = Layer.effect(
  CustomerStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const select = `select ${list(customerTable.columns, "c")} from ${dialect.table("customers")} c`
    const locked = `order by c.id, c.org_id${forUpdate(dialect, "c")}`
    const byKeys = `${select} where ${among(dialect, "c")}`
    const byEmail = `${select}
      where (c.org_id, c.email) in (
        select org_id, email from ${dialect.records("$1", { org_id: "text", email: "text" })} as asked
      ) and c.erased_at is null`

    const decode = (rows: ReadonlyArray<Row>) => rows.map(customerTable.decode)
    const readKeys = (text: string) => (keys: ReadonlyArray<Key>) =>
      Effect.map(queryFor<Row>(database, text, keys.map(keyRecord)), decode)

    return CustomerStore.of({
      find: readKeys(byKeys),
      lock: readKeys(`${byKeys} ${locked}`),
      lockByEmail: (keys) => {
        const asked = keys.map(({ email, orgId }) => ({ org_id: orgId, email }))
        return Effect.map(queryFor<Row>(database, `${byEmail} ${locked}`, asked), decode)
      },
      list: customerList(database),
      put: putCustomers(database)
    })
  })
)
