/**
 * Lists bookings by start time. The list can be filtered or searched.
 *
 * The query text depends on the filters, so that an index can serve each combination. For example, the indexes on held
 * and canceled bookings are partial, and a database uses a partial index only if the text contains the status.
 */
import type { BookingRecord, BookingStore } from "@trailbook/core/booking"
import { parseSearchQuery } from "@trailbook/core/customer"
import type { Position } from "@trailbook/core/wire"
import * as Effect from "effect/Effect"
import type { Database } from "../../Database.ts"
import type { SqlValue } from "../../Dialect.ts"
import { makeFilterConditions, maxPosition, minPosition } from "../../statements.ts"
import { type BookingRecordRow, decodeBookingRecord, recordColumns, selectRecords } from "../../table/bookingTable.ts"
import { makeSearch, type SearchStrategies } from "../search.ts"

interface Slice {
  readonly behind: Position | undefined
  readonly upTo?: Position | undefined
  readonly rows: number
  /** Whether the slice contains only certain guests' bookings. */
  readonly isOfGuests?: boolean
}

export const makeListBookings = (database: Database["Type"]): BookingStore["Type"]["list"] => {
  const { dialect, query } = database
  const search = makeSearch(database)
  const bookings = dialect.table("bookings")
  const select = selectRecords(dialect)
  const isFound = `(${search.lacksNone("p.reference = b.reference")} or b.reference = $6)`
  // The matching rows are the outer side of the joins, and the other tables are looked up for each row. Without this
  // order, PostgreSQL would scan all guests for each booking while new tables lack statistics. `findOverlaps` explains
  // "lateral" and "cross join".
  const joinOne = (table: string, alias: string, condition: string): string =>
    dialect.lateral ?
      `cross join lateral (select * from ${dialect.table(table)} ${alias} where ${condition} limit 1) as ${alias}` :
      `cross join ${dialect.table(table)} ${alias} on ${condition}`
  /**
   * Joins at most `$4` bookings per row, because a guest such as a reseller can have a very large number of bookings.
   */
  const joinEach = (columns: string, condition: string, orderBy = ""): string =>
    dialect.lateral ?
      `cross join lateral (select ${columns} from ${bookings} b where ${condition} ${orderBy} limit $4) as b` :
      `cross join ${bookings} b on ${condition}`
  const guest = joinOne("customers", "c", "c.org_id = $1 and c.id = b.customer_id")
  const offering = joinOne("offerings", "o", "o.org_id = $1 and o.id = b.offering_id")
  const selectMatches = (conditions: string): string =>
    `with ${search.parts} select ${recordColumns} from ${bookings} b ${guest} ${offering} where ${conditions} and ${isFound}`
  const positions = `select b.starts_at as at, b.id from ${bookings} b`

  const matchingGuests = `select c.id from (${search.begun}) as g ${
    joinOne("customers", "c", "c.org_id = $1 and c.id = g.id")
  }
      where ${search.lacksNone("false")}`
  /**
   * Returns a statement that finds the guests who match all terms and reads their bookings from an index. It also
   * returns the bookings whose reference matches.
   */
  const selectGuestBookings = (
    areFound: boolean,
    hasReference: boolean,
    within: string,
    orderBy: (alias: string) => string
  ): string =>
    `with ${search.parts}, guests as materialized (
      ${areFound ? search.begun : matchingGuests}
    ), found as materialized (
      select starts_at, id from (
        select b.starts_at, b.id from guests g
          ${joinEach("b.starts_at, b.id", `${within} and b.customer_id = g.id`, orderBy("b"))}
        ${hasReference ? "union" : "union all"}
        select b.starts_at, b.id from (${search.references}) as r
          ${joinEach("b.*", `${within} and b.reference = r.reference`)} ${guest} where ${isFound}
      ) as hits ${orderBy("hits")} limit $4
    ) select ${recordColumns}
      from found f ${joinOne("bookings", "b", "b.org_id = $1 and b.id = f.id")} ${guest} ${offering} ${orderBy("b")}`

  return ({ after, from = minPosition.at, limit, order, orgId, q, to = maxPosition.at, ...criteria }) => {
    const isAscending = order === "asc"
    const last = isAscending ? maxPosition : minPosition
    const first: Position = { at: isAscending ? from : to, id: "" }
    const orderBy = (alias: string) => `order by ${alias}.starts_at ${order}, ${alias}.id ${order}`

    /** Reads rows of the list. `$4` is the number of rows. Additional values start at `$5`. */
    const readSlice = <Row>(
      { behind: position = first, isOfGuests = false, rows, upTo }: Slice,
      text: (within: string) => string,
      ...extraValues: ReadonlyArray<SqlValue>
    ) => {
      const { at } = upTo ?? last
      // Keep each bound as tight as possible, because a database may use only one of them.
      const behind = (isAscending ? position.at < from : position.at >= to) ? first : position
      const bounds = isAscending
        ? [behind.at, Math.min(to, at + 1)]
        : [Math.max(from, at), Math.min(to, behind.at + 1)]
      const end = upTo === undefined ? [] : [upTo.at, upTo.id]
      const values = [orgId, behind.at, behind.id, rows, ...extraValues, ...bounds, ...end]
      const bound = (at: number) => `$${4 + extraValues.length + at}`
      // A session or a guest has few bookings in any status. Pass the status as a value, so that the database uses the
      // index on the session or guest.
      const isNarrow = isOfGuests || criteria.sessionId !== undefined || criteria.customerId !== undefined
      // If the guests are known, read all of their bookings. If the session is known, read its bookings in list order.
      // `coalesce` keeps a database from using an index on the other columns and reading all bookings for an offering.
      const toColumn = (name: string, isHidden = isOfGuests) => isHidden ? `coalesce(b.${name}, '')` : `b.${name}`
      const filter = makeFilterConditions({
        [toColumn("offering_id")]: criteria.offeringId,
        [toColumn("customer_id")]: criteria.customerId,
        [toColumn("session_id")]: criteria.sessionId,
        [toColumn("reference")]: criteria.reference,
        [toColumn("status", isOfGuests || criteria.sessionId !== undefined)]: isNarrow ? criteria.status : undefined
      }, values.length + 1)
      const status = criteria.status === undefined || isNarrow ? "" : ` and b.status = '${criteria.status}'`
      const within = `b.org_id = $1 and b.starts_at >= ${bound(1)} and b.starts_at < ${bound(2)}
        and (b.starts_at, b.id) ${isAscending ? ">" : "<"} ($2, $3)${
        upTo === undefined ? "" : ` and (b.starts_at, b.id) ${isAscending ? "<=" : ">="} (${bound(3)}, ${bound(4)})`
      }${status}${filter.text}`
      return query<Row>(text(within), [...values, ...filter.values])
    }
    const readRecords = (...parameters: Parameters<typeof readSlice>) =>
      Effect.map(readSlice<BookingRecordRow>(...parameters), (rows) => rows.map(decodeBookingRecord))
    if (q === undefined) {
      return readRecords(
        { behind: after, rows: limit },
        (within) => `${select} where ${within} ${orderBy("b")} limit $4`
      )
    }
    const parsedQuery = parseSearchQuery(q)
    if (parsedQuery.parts.length === 0) return Effect.succeed([])
    const hasReference = [parsedQuery, ...parsedQuery.parts].some(({ reference }) => reference !== undefined)
    const strategies: SearchStrategies<BookingRecord> = {
      few: 2000,
      sample: 100,
      soon: 2000,
      behind: (behind, rows) =>
        Effect.map(
          readSlice<Position>(
            { behind, rows: rows - 1 },
            (within) => `${positions} where ${within} ${orderBy("b")} limit 1 offset $4`
          ),
          ([row]) => row
        ),
      between: (values, behind, upTo, rows) =>
        readRecords({ behind, upTo, rows }, (within) => `${selectMatches(within)} ${orderBy("b")} limit $4`, ...values),
      of: (values, areFound) =>
        readRecords(
          { behind: after, rows: limit, isOfGuests: true },
          (within) => selectGuestBookings(areFound, hasReference, within, orderBy),
          ...values
        )
    }
    return search.page(orgId, parsedQuery, strategies, after ?? first, limit)
  }
}
