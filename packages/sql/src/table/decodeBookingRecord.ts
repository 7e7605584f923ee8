import type { BookingRecord } from "@trailbook/core/booking"
import type { OfferingKind } from "@trailbook/core/offering/Offering"
import { type ColumnRow, toSelectList } from "../Columns.ts"
import type { Dialect } from "../Dialect.ts"
import { bookingTable } from "./bookingTable.ts"

/** A booking row with the offering and customer columns that its view shows. */
export type BookingRecordRow = ColumnRow<typeof bookingTable.columns> & {
  readonly offering_name: string
  readonly offering_kind: string
  readonly customer_name: string
  readonly customer_email: string
  readonly customer_phone: string
}

/** The columns of a record, from the booking `b`, its offering `o`, and its customer `c`. */
export const recordColumns = `${toSelectList(bookingTable.columns, "b")},
    o.name as offering_name, o.kind as offering_kind,
    c.name as customer_name, c.email as customer_email, c.phone as customer_phone`

/**
 * Returns the start of every statement that reads bookings as `b`. Each booking has an offering and a guest, so a left
 * join and a plain join return the same rows. Use a left join to read bookings by key. With a plain join, PostgreSQL
 * could start with all of the org's offerings, because it expects only a few of them, and then scan them all for every
 * booking. Use a plain join for lists. A list reads its own index, and each offering is looked up once for all of its
 * bookings.
 */
export const selectRecords = ({ table }: Dialect, join: "join" | "left join" = "join"): string => `
  select ${recordColumns}
  from ${table("bookings")} b
    ${join} ${table("offerings")} o on o.org_id = b.org_id and o.id = b.offering_id
    ${join} ${table("customers")} c on c.org_id = b.org_id and c.id = b.customer_id`

export const decodeBookingRecord = (row: BookingRecordRow): BookingRecord => ({
  booking: bookingTable.decode(row),
  offering: { id: row.offering_id, name: row.offering_name, kind: row.offering_kind as OfferingKind },
  customer: {
    id: row.customer_id,
    name: row.customer_name,
    email: row.customer_email,
    phone: row.customer_phone
  }
})

/** Returns a condition that is true if the booking is live at the latest of these times. */
export const liveCondition = (alias: string, ...moments: readonly [string, ...ReadonlyArray<string>]): string =>
  `(${alias}.status = 'confirmed' or (${alias}.status = 'held' and ${
    moments.map((moment) => `${alias}.expires_at > ${moment}`).join(" and ")
  }))`

/**
 * Returns a condition that is true if the hold has expired at the latest of these times. The booking must not be
 * canceled.
 */
export const expiredCondition = (alias: string, ...moments: readonly [string, ...ReadonlyArray<string>]): string =>
  `(${moments.map((moment) => `${alias}.expires_at <= ${moment}`).join(" or ")})`
