import type { Position } from "@trailbook/core/wire"

/**
 * Returns a page of a list: at most `limit` rows after `after`. Sorts all rows, whereas a database would use an index.
 */
export const page = <Row>(
  rows: ReadonlyArray<Row>,
  positionOf: (row: Row) => Position,
  { after, limit, order = "asc" }: {
    readonly after?: Position | undefined
    readonly limit: number
    readonly order?: "asc" | "desc"
  }
): ReadonlyArray<Row> => {
  const sign = order === "asc" ? 1 : -1
  return rows
    .filter((row) => after === undefined || sign * compare(positionOf(row), after) > 0)
    .sort((a, b) => sign * compare(positionOf(a), positionOf(b)))
    .slice(0, limit)
}

const compare = (a: Position, b: Position): number => a.at - b.at || compareIds(a, b)

const compareIds = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id === b.id ? 0 : a.id < b.id ? -1 : 1

/** Sorts rows by ID, the order in which every transaction locks them. */
export const byId = <Row extends { readonly id: string }>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.toSorted(compareIds)

export const byCreation = ({ createdAt: at, id }: { readonly createdAt: number; readonly id: string }): Position => ({
  at,
  id
})

export const byStart = ({ id, startsAt: at }: { readonly startsAt: number; readonly id: string }): Position => ({
  at,
  id
})

interface TimeRange {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Whether `from <= startsAt < to`. */
export const starts =
  ({ from = -Infinity, to = Infinity }: TimeRange) => (row: { readonly startsAt: number }): boolean =>
    row.startsAt >= from && row.startsAt < to
