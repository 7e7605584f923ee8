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
import {
  bookingRecord,
  type BookingRecordRow,
  joinRecords,
  recordColumns,
  selectRecords
} from "../table/bookingRecord.ts"
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
  const joined = joinRecords(dialect)
  const isFound = `(${search.lacksNone("p.reference = b.reference")} or b.reference = $6)`
  const found = `with ${search.parts}, found as materialized (
      select b.id from ${bookings} b where b.org_id = $1 and b.customer_id in (${search.begun})
      union select b.id from ${bookings} b where b.org_id = $1 and b.reference in (${search.references})
    )`
  const common = `with ${search.parts} select ${recordColumns} from ${bookings} b${joined}`

  /** What is found stands outside, and each is looked up by its key: see `touching`. */
  const rare = (conditions: string): string =>
    dialect.lateral ?
      `${found} select ${recordColumns} from found f cross join lateral (
        select b.* from ${bookings} b where ${conditions} and b.id = f.id limit 1
      ) as b${joined} where ${isFound}` :
      `${found} select ${recordColumns} from found f cross join ${bookings} b${joined}
      where ${conditions} and b.id = f.id and ${isFound}`

  const read = (asked: Query, way: Way | undefined) => {
    const { after, from = start.at, limit, order, orgId, to = end.at, ...given } = asked
    const upwards = order === "asc"
    const position = after ?? (upwards ? start : end)
    // The tighter of two bounds is where to begin; a database picks either.
    const bounds = upwards ? [Math.max(from, position.at), to] : [from, Math.min(to, position.at + 1)]
    const values: ReadonlyArray<Value> = [orgId, position.at, position.id, limit, ...way?.values ?? [], ...bounds]
    const filter = filters({
      "b.offering_id": given.offeringId,
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
      : `${common} where ${conditions} and ${isFound}`
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
