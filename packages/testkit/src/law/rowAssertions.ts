import type { Booking, BookingRecord } from "@trailbook/core/booking"
import type { Position } from "@trailbook/core/wire"
import { assert } from "chai"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { OrgData } from "../generator/orgData.ts"

/** Sorts the keys of JSON objects, because a storage adapter can reorder them. */
export const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== "object" || value === null) return value
  return Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([key, inner]) => [key, sortKeys(inner)])
}

/** Asserts that two lists contain the same rows the same number of times, in any order. */
export const assertSameRows = <Row>(
  actual: ReadonlyArray<Row>,
  expected: ReadonlyArray<Row>,
  message?: string
): void => {
  const toText = (row: Row) => JSON.stringify(sortKeys(row))
  const sortRows = (rows: ReadonlyArray<Row>) =>
    rows.map((row) => [toText(row), row] as const).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0).map(([, row]) => row)
  assert.deepStrictEqual(sortRows(actual), sortRows(expected), message)
}

export const compareById = (a: { readonly id: string }, b: { readonly id: string }): number => a.id < b.id ? -1 : 1

/** Builds a booking record with its offering and customer. */
export const toBookingRecord = ({ customers, offerings }: OrgData) => (booking: Booking): BookingRecord => {
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
export const sortOldestFirst = <Row extends ComparedRow>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.toSorted((a, b) => a.createdAt - b.createdAt || compareById(a, b))

export const sortNewestFirst = <Row extends ComparedRow>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  sortOldestFirst(rows).toReversed()

interface StartingRow {
  readonly id: string
  readonly startsAt: number
}

export const compareByStart = (a: StartingRow, b: StartingRow): number => a.startsAt - b.startsAt || compareById(a, b)

/** Asserts that no value is less than the previous one. */
export const assertAscending = (values: ReadonlyArray<number>): void =>
  assert.deepStrictEqual(values, values.toSorted((a, b) => a - b))

/** Reads all rows of a list page by page with its cursor. Asserts that only the last page is short. */
export const readAllPages = <Row, R, At = Position>(
  limit: number,
  page: (after: At | undefined) => Effect.Effect<ReadonlyArray<Row>, never, R>,
  toPosition: (row: Row) => At
): Effect.Effect<ReadonlyArray<Row>, never, R> =>
  Effect.gen(function*() {
    const rows: Array<Row> = []
    let after: At | undefined
    // Stop after 200 pages, in case a list never ends.
    for (let pages = 0; pages < 200; pages++) {
      const pageRows = yield* page(after)
      assert.isAtMost(pageRows.length, limit, "a page is longer than its limit")
      rows.push(...pageRows)
      const last = pageRows.at(-1)
      if (last === undefined || pageRows.length < limit) return rows
      after = toPosition(last)
    }
    return assert.fail("the last page was not reached")
  })

/** The position of a row in a list that is sorted by creation time. */
export const toCreationPosition = (
  { createdAt: at, id }: { readonly createdAt: Position["at"]; readonly id: string }
) => ({
  at,
  id
})

/** Reads all rows of a list that is sorted by creation time. */
export const readAllPagesByCreation = <Row extends { readonly createdAt: Position["at"]; readonly id: string }, R>(
  limit: number,
  page: (after: Position | undefined) => Effect.Effect<ReadonlyArray<Row>, never, R>
): Effect.Effect<ReadonlyArray<Row>, never, R> => readAllPages(limit, page, toCreationPosition)

/** Asserts that the work dies. */
export const assertDies = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  reason = "it was stored"
): Effect.Effect<void, never, R> =>
  Effect.map(
    Effect.exit(work),
    (exit) => assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause), reason)
  )

/** Asserts that a read finds exactly this row, or nothing if the row is undefined. */
export const assertFinds = <Row, R>(
  read: Effect.Effect<Option.Option<Row>, never, R>,
  expected: Row | undefined,
  message?: string
): Effect.Effect<void, never, R> =>
  Effect.map(read, (row) => assert.deepStrictEqual(Option.getOrUndefined(row), expected, message))

export const assertFindsNothing = <Row, R>(
  read: Effect.Effect<Option.Option<Row>, never, R>
): Effect.Effect<void, never, R> => assertFinds(read, undefined)
