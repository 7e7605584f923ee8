import type { Booking } from "@trailbook/core/booking/Booking"
import type { BookingRecord } from "@trailbook/core/booking/BookingView"
import { assert } from "vitest"
import type { Town } from "../generator/town.ts"

const text = (row: unknown): string => JSON.stringify(row)

/**
 * The same rows as often, in whatever order.
 *
 * @category comparing
 */
export const sameRows = <Row>(actual: ReadonlyArray<Row>, expected: ReadonlyArray<Row>): void => {
  const sorted = (rows: ReadonlyArray<Row>) =>
    rows.map((row) => [text(keyed(row)), row] as const).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0).map(([, row]) =>
      row
    )
  assert.deepStrictEqual(sorted(actual), sorted(expected))
}

/** Stores may give a row's fields in any order. */
const keyed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(keyed)
  if (typeof value !== "object" || value === null) return value
  return Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([key, inner]) => [key, keyed(inner)])
}

/**
 * @category comparing
 */
export const byId = (a: { readonly id: string }, b: { readonly id: string }): number => a.id < b.id ? -1 : 1

/**
 * A booking with what its record has of its offering and its guest.
 *
 * @category converting
 */
export const recordIn = ({ customers, offerings }: Town) => (booking: Booking): BookingRecord => {
  const offering = offerings.find(({ id }) => id === booking.offeringId)
  const customer = customers.find(({ id }) => id === booking.customerId)
  if (offering === undefined || customer === undefined) throw new Error("A booking of a town points outside of it.")
  return {
    booking,
    offering: { id: offering.id, name: offering.name, kind: offering.kind },
    customer: { id: customer.id, name: customer.name, email: customer.email, phone: customer.phone }
  }
}
