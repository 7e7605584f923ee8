/**
 * @since 0.1.0
 */
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import type { Key } from "@trailbook/core/offering/OfferingStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { list, type RowOf } from "../Columns.ts"
import { Database } from "../Database.ts"
import { end } from "../ends.ts"
import { among, forUpdate, keyRecord, queryFor } from "../records.ts"
import * as Table from "../Table.ts"
import { customerTable } from "../table/customerTable.ts"

type Row = RowOf<typeof customerTable.columns>

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = Layer.effect(
  CustomerStore,
  Effect.map(Database, (database) => {
    const { dialect, query } = database
    const select = `select ${list(customerTable.columns, "c")} from ${dialect.table("customers")} c`
    const locked = `order by c.id, c.org_id${forUpdate(dialect, "c")}`
    const byKeys = `${select} where ${among(dialect, "c")}`
    const byEmail = `${select}
      where (c.org_id, c.email) in (
        select org_id, email from ${dialect.records("$1", { org_id: "text", email: "text" })} as asked
      ) and c.erased_at is null`
    const before = `c.org_id = $1 and (c.created_at, c.id) < ($2, $3)`
    const newestFirst = `order by c.created_at desc, c.id desc limit $4`
    const all = `${select} where ${before} ${newestFirst}`
    const containing = `${select}
      where ${before} and (${
      ["name", "email", "phone"].map((name) => dialect.contains(`c.${name}`, "$5")).join(" or ")
    })
      ${newestFirst}`

    const put = Table.put(database, customerTable)
    const erase = Table.put({ dialect, write: database.erase }, customerTable)
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
      list: ({ after = end, limit, orgId, q }) => {
        const page = [orgId, after.at, after.id, limit]
        const rows = q === undefined ? query<Row>(all, page) : query<Row>(containing, [...page, dialect.pattern(q)])
        return Effect.map(rows, decode)
      },
      put: (customers) => customers.some(({ erasedAt }) => erasedAt !== null) ? erase(customers) : put(customers)
    })
  })
)
