import type { Customer } from "@trailbook/core/customer/Customer"
import * as Search from "@trailbook/core/customer/customerSearch"
import type { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import type { Position } from "@trailbook/core/wire/Cursor"
import * as Effect from "effect/Effect"
import { list } from "../Columns.ts"
import type { Database } from "../Database.ts"
import { maxInstant, minInstant } from "../openBounds.ts"
import * as Rows from "../Rows.ts"
import { customerTable } from "../table/customerTable.ts"
import { make, type SearchStrategies } from "./search.ts"

/** Lists customers, newest first: all or searched. */
export const customerList = (database: Database["Type"]): CustomerStore["Type"]["list"] => {
  const { dialect, query } = database
  const search = make(database)
  const rows = Rows.make(database, customerTable, "c")
  const columns = list(customerTable.columns, "c")
  const customers = dialect.table("customers")
  const bookings = dialect.table("bookings")
  const before = "c.org_id = $1 and (c.created_at, c.id) < ($2, $3)"
  const newestFirst = "order by c.created_at desc, c.id desc limit $4"
  const all = `${rows.select} where ${before} ${newestFirst}`

  const referredTo = `select b.customer_id from ${bookings} b
    where b.org_id = $1 and b.reference in (${search.references})`
  const isFound = `(${search.lacksNone("p.customer_id = c.id")}
      or c.id in (select b.customer_id from ${bookings} b where b.org_id = $1 and b.reference = $6))`
  const behind = `select c.created_at as at, c.id from ${customers} c where ${before}
    order by c.created_at desc, c.id desc limit 1 offset $4`
  const between = `with ${search.parts}
    ${rows.select}
    where ${before} and (c.created_at, c.id) >= ($7, $8) and ${isFound} ${newestFirst}`
  // The found guests are the outer side of the join, and each is looked up by key; for "lateral" and "cross join" see
  // `findOverlaps`.
  const found = `with ${search.parts}, found as materialized (${search.begun} union ${referredTo})`
  const rare = dialect.lateral ?
    `${found}
      select c.* from found f cross join lateral (
        select ${columns}, c.words from ${customers} c where ${before} and c.id = f.id limit 1
      ) as c where ${isFound} ${newestFirst}` :
    `${found}
      select ${columns} from found f cross join ${customers} c
      where ${before} and c.id = f.id and ${isFound} ${newestFirst}`

  return ({ after = maxInstant, limit, orgId, q }) => {
    const page = (from: Position, count: number) => [orgId, from.at, from.id, count]
    if (q === undefined) return rows.all(all, page(after, limit))
    const asked = Search.parseSearch(q)
    if (asked.parts.length === 0) return Effect.succeed([])
    const ways: SearchStrategies<Customer> = {
      few: 500,
      sample: 1000,
      soon: 20_000,
      behind: (from, count) => Effect.map(query<Position>(behind, page(from, count - 1)), ([row]) => row),
      between: (values, from, upTo = minInstant, count) =>
        rows.all(between, [...page(from, count), ...values, upTo.at, upTo.id]),
      of: (values) => rows.all(rare, [...page(after, limit), ...values])
    }
    return search.page(orgId, asked, ways, after, limit)
  }
}
