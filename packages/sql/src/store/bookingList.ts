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
  const search = make(database)
  const bookings = dialect.table("bookings")
  const select = selectRecords(dialect)
  const isFound = `(${search.lacksNone("p.reference = b.reference")} or b.reference = $6)`
  // What is found stands outside, and the rest is looked up for each of it: "lateral" and "cross join" for what `touching`
  // says. Otherwise Postgres, while it knows nothing of new tables, takes every guest for each booking.
  const one = (table: string, alias: string, condition: string): string =>
    dialect.lateral ?
      `cross join lateral (select * from ${dialect.table(table)} ${alias} where ${condition} limit 1) as ${alias}` :
      `cross join ${dialect.table(table)} ${alias} on ${condition}`
  const each = (columns: string, condition: string): string =>
    dialect.lateral ?
      `cross join lateral (select ${columns} from ${bookings} b where ${condition} offset 0) as b` :
      `cross join ${bookings} b on ${condition}`
  const guest = one("customers", "c", "c.org_id = $1 and c.id = b.customer_id")
  const offering = one("offerings", "o", "o.org_id = $1 and o.id = b.offering_id")
  const common = (conditions: string): string =>
    `with ${search.parts} select ${recordColumns} from ${bookings} b ${guest} ${offering} where ${conditions} and ${isFound}`

  /**
   * The guests who have all parts, their bookings off the index, which has their starts, and what is referred to. Where
   * nothing else is asked of them only those of the page are read.
   */
  const rare = (within: string, others: string, inOrder: (alias: string) => string): string =>
    `with ${search.parts}, guests as materialized (
      select c.id from (${search.begun}) as g ${one("customers", "c", "c.org_id = $1 and c.id = g.id")}
      where ${search.lacksNone("false")}
    ), found as materialized (
      select starts_at, id from (
        select b.starts_at, b.id from guests g ${each("b.starts_at, b.id", `${within} and b.customer_id = g.id`)}
        union
        select b.starts_at, b.id from (${search.references}) as r
          ${each("b.*", `${within} and b.reference = r.reference`)} ${guest} where ${isFound}
      ) as hits ${others === "" ? inOrder("hits") : ""}
    ) select ${recordColumns}
      from found f ${one("bookings", "b", `b.org_id = $1 and b.id = f.id${others}`)} ${guest} ${offering}`

  const read = (asked: Query, way: Way | undefined) => {
    const { after, from = start.at, limit, order, orgId, to = end.at, ...given } = asked
    const upwards = order === "asc"
    const position = after ?? (upwards ? start : end)
    // The tighter of two bounds is where to begin; a database picks either.
    const bounds = upwards ? [Math.max(from, position.at), to] : [from, Math.min(to, position.at + 1)]
    const values: ReadonlyArray<Value> = [orgId, position.at, position.id, limit, ...way?.values ?? [], ...bounds]
    // Those of a session or a guest are few, whatever their status, and it is said as a value: their own index is the one.
    const isNarrow = given.sessionId !== undefined || given.customerId !== undefined
    // Few are held, in the whole org: they are gone through, and not what an offering ever had, so the column is hidden from
    // its index.
    const offeringId = given.status === "held" && !isNarrow ? "coalesce(b.offering_id, '')" : "b.offering_id"
    const filter = filters({
      [offeringId]: given.offeringId,
      "b.customer_id": given.customerId,
      "b.session_id": given.sessionId,
      "b.status": isNarrow ? given.status : undefined
    }, values.length + 1)
    const within = `b.org_id = $1 and b.starts_at >= $${values.length - 1} and b.starts_at < $${values.length}
        and (b.starts_at, b.id) ${upwards ? ">" : "<"} ($2, $3)`
    const status = given.status === undefined || isNarrow ? "" : ` and b.status = '${given.status}'`
    const others = `${status}${filter.text}`
    const inOrder = (alias: string) => `order by ${alias}.starts_at ${order}, ${alias}.id ${order} limit $4`
    const text = way === undefined
      ? `${select} where ${within}${others}`
      : way.isRare
      ? rare(within, others, inOrder)
      : common(within + others)
    return Effect.map(
      query<BookingRecordRow>(`${text} ${inOrder("b")}`, [...values, ...filter.values]),
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
