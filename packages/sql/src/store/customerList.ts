import type { Customer } from "@trailbook/core/customer/Customer"
import type { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import * as Search from "@trailbook/core/customer/Search"
import type { Position } from "@trailbook/core/wire/Cursor"
import * as Effect from "effect/Effect"
import { list, type RowOf } from "../Columns.ts"
import type { Database } from "../Database.ts"
import type { Value } from "../Dialect.ts"
import { end, start } from "../ends.ts"
import { customerTable } from "../table/customerTable.ts"
import { make, type Ways } from "./search.ts"

type Row = RowOf<typeof customerTable.columns>

/**
 * The list of customers, newest first, whole or searched.
 *
 * @category reading
 */
export const customerList = (database: Database["Type"]): CustomerStore["Type"]["list"] => {
  const { dialect, query } = database
  const search = make(database)
  const columns = list(customerTable.columns, "c")
  const customers = dialect.table("customers")
  const bookings = dialect.table("bookings")
  const before = "c.org_id = $1 and (c.created_at, c.id) < ($2, $3)"
  const newestFirst = "order by c.created_at desc, c.id desc limit $4"
  const all = `select ${columns} from ${customers} c where ${before} ${newestFirst}`

  const referredTo = `select b.customer_id from ${bookings} b
    where b.org_id = $1 and b.reference in (${search.references})`
  const isFound = `(${search.lacksNone("p.customer_id = c.id")}
      or c.id in (select b.customer_id from ${bookings} b where b.org_id = $1 and b.reference = $6))`
  const behind = `select c.created_at as at, c.id from ${customers} c where ${before}
    order by c.created_at desc, c.id desc limit 1 offset $4`
  const between = `with ${search.parts}
    select ${columns} from ${customers} c
    where ${before} and (c.created_at, c.id) >= ($7, $8) and ${isFound} ${newestFirst}`
  // The guests stand outside, and each is looked up by their key: "lateral" and "cross join" for what `overlapping` says.
  const found = `with ${search.parts}, found as materialized (${search.begun} union ${referredTo})`
  const rare = dialect.lateral ?
    `${found}
      select c.* from found f cross join lateral (
        select ${columns}, c.words from ${customers} c where ${before} and c.id = f.id limit 1
      ) as c where ${isFound} ${newestFirst}` :
    `${found}
      select ${columns} from found f cross join ${customers} c
      where ${before} and c.id = f.id and ${isFound} ${newestFirst}`
  const read = (text: string, values: ReadonlyArray<Value>) =>
    Effect.map(query<Row>(text, values), (rows) => rows.map(customerTable.decode))

  return ({ after = end, limit, orgId, q }) => {
    const page = (from: Position, rows: number) => [orgId, from.at, from.id, rows]
    if (q === undefined) return read(all, page(after, limit))
    const asked = Search.read(q)
    if (asked.parts.length === 0) return Effect.succeed([])
    const ways: Ways<Customer> = {
      sample: 1000,
      soon: 20_000,
      behind: (from, rows) => Effect.map(query<Position>(behind, page(from, rows - 1)), ([row]) => row),
      between: (values, from, upTo = start, rows) => read(between, [...page(from, rows), ...values, upTo.at, upTo.id]),
      of: (values) => read(rare, [...page(after, limit), ...values])
    }
    return search.page(orgId, asked, ways, after, limit)
  }
}
