import { CustomerStore, parseSearchQuery } from "@trailbook/core/customer"
import type { Customer } from "@trailbook/core/customer/Customer"
import type { Position } from "@trailbook/core/wire"
import * as Effect from "effect/Effect"
import { toSelectList } from "../Columns.ts"
import type { Database } from "../Database.ts"
import * as Rows from "../Rows.ts"
import { getSingleValue, keyCondition, maxPosition, minPosition } from "../statements.ts"
import * as Table from "../Table.ts"
import { customerTable, customerWriteTable } from "../table/conversationTables.ts"
import { makeSearch, type SearchStrategies } from "./search.ts"

export const layer = Rows.layer(CustomerStore, customerTable, "c", (rows, database) => {
  const { dialect } = database
  const lockByOneEmail = `${rows.select} where c.org_id = $1 and c.email = $2 and c.erased_at is null${rows.locked}`
  const lockByEmails = `${rows.select} where ${keyCondition(dialect, "c", "email", "email")} and c.erased_at is null
    order by c.id, c.org_id${rows.locked}`

  return {
    find: rows.findAll,
    lock: rows.lockAll,
    lockByEmail: (keys) => {
      const key = getSingleValue(keys)
      return key === undefined
        ? rows.ofRecords(lockByEmails, keys.map(({ email, orgId }) => ({ org_id: orgId, email })))
        : rows.all(lockByOneEmail, [key.orgId, key.email])
    },
    list: customerList(database),
    put: putCustomers(database)
  }
})

/**
 * Inserts or replaces customers together with their search words. The previous words are read from the customer row,
 * which makes an index on words by customer unnecessary. If a customer's words are unchanged, their word rows are not
 * written.
 */
export const putCustomers = (database: Database["Type"]) => {
  const { dialect, erase, inOneTransaction, write } = database
  const customers = dialect.table("customers")
  const words = dialect.table("customer_words")
  const source = dialect.records("$1", { org_id: "text", id: "text", words: "text" })
  const removeWords = `delete from ${words} where (org_id, word, customer_id) in (
      select c.org_id, w.value, c.id
      from ${source} as given
        join ${customers} c on c.org_id = given.org_id and c.id = given.id and c.words <> given.words
        cross join ${dialect.words("c.words", "w")}
    )`
  const insertWords = `insert into ${words} (org_id, word, customer_id)
    select given.org_id, w.value, given.id
    from ${source} as given
      left join ${customers} c on c.org_id = given.org_id and c.id = given.id
      cross join ${dialect.words("given.words", "w")}
    where w.value <> '' and c.words is distinct from given.words
    on conflict do nothing`

  const makePut = (write: Database["Type"]["write"]) => {
    const replace = Table.put({ dialect, write }, customerWriteTable)
    return (rows: ReadonlyArray<Customer>) => {
      const records = [
        JSON.stringify(rows.map(customerWriteTable.encode).map(({ id, org_id, words }) => ({ id, org_id, words })))
      ]
      return inOneTransaction(Effect.zipRight(
        Effect.zipRight(write(removeWords, records), write(insertWords, records)),
        replace(rows)
      ))
    }
  }
  const put = makePut(write)
  const putErased = makePut(erase)
  return (rows: ReadonlyArray<Customer>): Effect.Effect<void> =>
    rows.some(({ erasedAt }) => erasedAt !== null) ? putErased(rows) : put(rows)
}

/** Lists all customers or the search results, newest first. */
const customerList = (database: Database["Type"]): CustomerStore["Type"]["list"] => {
  const { dialect, query } = database
  const search = makeSearch(database)
  const rows = Rows.make(database, customerTable, "c")
  const columns = toSelectList(customerTable.columns, "c")
  const customers = dialect.table("customers")
  const bookings = dialect.table("bookings")
  const pageCondition = "c.org_id = $1 and (c.created_at, c.id) < ($2, $3)"
  const newestFirst = "order by c.created_at desc, c.id desc limit $4"
  const all = `${rows.select} where ${pageCondition} ${newestFirst}`

  const referencedCustomers = `select b.customer_id from ${bookings} b
    where b.org_id = $1 and b.reference in (${search.references})`
  const isFound = `(${search.lacksNone("p.customer_id = c.id")}
      or c.id in (select b.customer_id from ${bookings} b where b.org_id = $1 and b.reference = $6))`
  const behind = `select c.created_at as at, c.id from ${customers} c where ${pageCondition}
    order by c.created_at desc, c.id desc limit 1 offset $4`
  const between = `with ${search.parts}
    ${rows.select}
    where ${pageCondition} and (c.created_at, c.id) >= ($7, $8) and ${isFound} ${newestFirst}`
  // The matching guests are the outer side of the join, so each guest is looked up by key. `findOverlaps` explains
  // "lateral" and "cross join".
  const withClause = `with ${search.parts}, found as materialized (${search.begun} union ${referencedCustomers})`
  const guestsQuery = dialect.lateral ?
    `${withClause}
      select c.* from found f cross join lateral (
        select ${columns}, c.words from ${customers} c where ${pageCondition} and c.id = f.id limit 1
      ) as c where ${isFound} ${newestFirst}` :
    `${withClause}
      select ${columns} from found f cross join ${customers} c
      where ${pageCondition} and c.id = f.id and ${isFound} ${newestFirst}`

  return ({ after = maxPosition, limit, orgId, q }) => {
    const toPageValues = (from: Position, count: number) => [orgId, from.at, from.id, count]
    if (q === undefined) return rows.all(all, toPageValues(after, limit))
    const parsedQuery = parseSearchQuery(q)
    if (parsedQuery.parts.length === 0) return Effect.succeed([])
    const strategies: SearchStrategies<Customer> = {
      few: 500,
      sample: 1000,
      soon: 20_000,
      behind: (from, count) => Effect.map(query<Position>(behind, toPageValues(from, count - 1)), ([row]) => row),
      between: (values, from, upTo = minPosition, count) =>
        rows.all(between, [...toPageValues(from, count), ...values, upTo.at, upTo.id]),
      of: (values) => rows.all(guestsQuery, [...toPageValues(after, limit), ...values])
    }
    return search.page(orgId, parsedQuery, strategies, after, limit)
  }
}
