/**
 * The list of bookings by start, whole, filtered or searched.
 *
 * Its text differs with its filters, so that an index can serve each: those of the
 * held and of the cancelled hold nothing else, and a database takes them only for a
 * status that the text itself names.
 *
 * @since 0.1.0
 */
import type { BookingStore } from "@trailbook/core/booking/BookingStore"
import * as Search from "@trailbook/core/customer/Search"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import type { Value } from "../Dialect.ts"
import { end, start } from "../ends.ts"
import { filters } from "../filters.ts"
import { bookingRecord, type BookingRecordRow, recordColumns, selectRecords } from "../table/bookingRecord.ts"
import { make, type Way } from "./search.ts"

type Query = Parameters<BookingStore["Type"]["list"]>[0]

/**
 * @since 0.1.0
 * @category reading
 */
export const bookingList = (database: Database["Type"]): BookingStore["Type"]["list"] => {
  const { dialect, query } = database
  const search = make(database, { many: 200 })
  const bookings = dialect.table("bookings")
  const select = selectRecords(dialect)
  const isFound = `(${search.lacksNone("p.reference = b.reference")} or b.reference = $6)`
  // What is found stands outside, and the rest is looked up for each of it: "lateral" and "cross join" for what `touching`
  // says. Otherwise Postgres, while it knows nothing of new tables, takes every guest for each booking.
  const one = (table: string, alias: string, condition: string): string =>
    dialect.lateral ?
      `cross join lateral (select * from ${dialect.table(table)} ${alias} where ${condition} limit 1) as ${alias}` :
      `cross join ${dialect.table(table)} ${alias} on ${condition}`
  const joined = `${one("customers", "c", "c.org_id = $1 and c.id = b.customer_id")}
    ${one("offerings", "o", "o.org_id = $1 and o.id = b.offering_id")}`
  const ofGuests = dialect.lateral ?
    `select b.id from (select distinct w.customer_id from (${search.begun}) as w) as g cross join lateral (
        select b.id from ${bookings} b where b.org_id = $1 and b.customer_id = g.customer_id offset 0
      ) as b` :
    `select b.id from ${bookings} b where b.org_id = $1 and b.customer_id in (${search.begun})`
  const found = `with ${search.parts}, found as materialized (
      ${ofGuests}
      union select b.id from ${bookings} b where b.org_id = $1 and b.reference in (${search.references})
    )`
  const rare = (conditions: string): string =>
    `${found} select ${recordColumns} from found f ${one("bookings", "b", `${conditions} and b.id = f.id`)} ${joined}
    where ${isFound}`
  const common = (conditions: string): string =>
    `with ${search.parts} select ${recordColumns} from ${bookings} b ${joined} where ${conditions} and ${isFound}`

  const read = (asked: Query, way: Way | undefined) => {
    const { after, from = start.at, limit, order, orgId, to = end.at, ...given } = asked
    const upwards = order === "asc"
    const position = after ?? (upwards ? start : end)
    // The tighter of two bounds is where to begin; a database picks either.
    const bounds = upwards ? [Math.max(from, position.at), to] : [from, Math.min(to, position.at + 1)]
    const values: ReadonlyArray<Value> = [orgId, position.at, position.id, limit, ...way?.values ?? [], ...bounds]
    // Few are held, in the whole org: they are gone through, and not what an offering ever had, so the column is hidden from
    // its index.
    const offering = given.status === "held" ? "coalesce(b.offering_id, '')" : "b.offering_id"
    const filter = filters({
      [offering]: given.offeringId,
      "b.customer_id": given.customerId,
      "b.session_id": given.sessionId
    }, values.length + 1)
    const status = given.status === undefined ? "" : ` and b.status = '${given.status}'`
    const conditions = `b.org_id = $1 and b.starts_at >= $${values.length - 1} and b.starts_at < $${values.length}
        and (b.starts_at, b.id) ${upwards ? ">" : "<"} ($2, $3)${status}${filter.text}`
    const text = way === undefined
      ? `${select} where ${conditions}`
      : way.isRare
      ? rare(conditions)
      : common(conditions)
    return Effect.map(
      query<BookingRecordRow>(`${text} order by b.starts_at ${order}, b.id ${order} limit $4`, [
        ...values,
        ...filter.values
      ]),
      (rows) => rows.map(bookingRecord)
    )
  }

  return (asked) => {
    if (asked.q === undefined) return read(asked, undefined)
    const wanted = Search.read(asked.q)
    if (wanted.parts.length === 0) return Effect.succeed([])
    return Effect.flatMap(search.way(asked.orgId, wanted), (way) => read(asked, way))
  }
}
