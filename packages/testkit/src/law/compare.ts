import type { Booking } from "@trailbook/core/booking/Booking"
import type { BookingRecord } from "@trailbook/core/booking/BookingView"
import { assert } from "vitest"
import type { OrgData } from "../generator/orgData.ts"
import { sortKeys } from "../invariant/sortKeys.ts"

/** Asserts the same rows with the same multiplicity, in any order. */
export const sameRows = <Row>(actual: ReadonlyArray<Row>, expected: ReadonlyArray<Row>): void => {
  const text = (row: Row) => JSON.stringify(sortKeys(row))
  const sortRows = (rows: ReadonlyArray<Row>) =>
    rows.map((row) => [text(row), row] as const).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0).map(([, row]) => row)
  assert.deepStrictEqual(sortRows(actual), sortRows(expected))
}

export const byId = (a: { readonly id: string }, b: { readonly id: string }): number => a.id < b.id ? -1 : 1

/** Builds a booking record with its offering and customer. */
export const recordIn = ({ customers, offerings }: OrgData) => (booking: Booking): BookingRecord => {
  const offering = offerings.find(({ id }) => id === booking.offeringId)
  const customer = customers.find(({ id }) => id === booking.customerId)
  if (offering === undefined || customer === undefined) {
    throw new Error("Invariant violated: booking without its offering or customer")
  }
  return {
    booking,
    offering: { id: offering.id, name: offering.name, kind: offering.kind },
    customer: { id: customer.id, name: customer.name, email: customer.email, phone: customer.phone }
  }
}

interface ComparedRow {
  readonly id: string
  readonly createdAt: number
}

/** Sorts by creation time and ID. */
export const oldestFirst = <Row extends ComparedRow>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.toSorted((a, b) => a.createdAt - b.createdAt || byId(a, b))

export const newestFirst = <Row extends ComparedRow>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  oldestFirst(rows).toReversed()

interface StartingRow {
  readonly id: string
  readonly startsAt: number
}

export const byStart = (a: StartingRow, b: StartingRow): number => a.startsAt - b.startsAt || byId(a, b)

/** Asserts that no value is less than the previous one. */
export const assertAscending = (values: ReadonlyArray<number>): void =>
  assert.deepStrictEqual(values, values.toSorted((a, b) => a - b))
