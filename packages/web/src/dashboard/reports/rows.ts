/** Converts report rows to sums and bars. */
import { getCurrencyDecimals } from "@trailbook/core/money"
import * as Arr from "effect/Array"
import type { Format } from "../../text/Format.ts"
import type { BarGroup } from "./chart.tsx"
import { listBarDates, type ReportRange } from "./reportRange.tsx"

/**
 * Converts an amount to a number for CSV files, because a spreadsheet would treat a formatted negative amount as a
 * formula.
 */
export const toCsvAmount = (cents: number, currency: string): number => cents / 10 ** getCurrencyDecimals(currency)

export const sumRows = <Row>(rows: ReadonlyArray<Row>, of: (row: Row) => number): number =>
  rows.reduce((total, row) => total + of(row), 0)

export const groupRows = <Row>(
  rows: ReadonlyArray<Row>,
  key: (row: Row) => string
): ReadonlyArray<readonly [Row, ReadonlyArray<Row>]> =>
  Object.values(Arr.groupBy(rows, key)).map((group) => [group[0], group])

/** Returns the sum in each currency, for a tile. */
export const sumByCurrency = <Row extends { readonly currency: string }>(
  rows: ReadonlyArray<Row>,
  of: (row: Row) => number
) => groupRows(rows, ({ currency }) => currency).map(([{ currency }, some]) => ({ currency, cents: sumRows(some, of) }))

/** Returns the label below a bar. */
export const formatBarLabel = ({ month, shortDate }: Format, { by }: ReportRange, date: string): string =>
  by === "month" ? month(date) : shortDate(date)

/** Returns a bar for each period in the range, stacked by series. */
export const makeBarGroups = <Row extends { readonly date: string }>(
  { format, range }: { readonly format: Format; readonly range: ReportRange },
  rows: ReadonlyArray<Row>,
  series: ReadonlyArray<(row: Row) => number>
): ReadonlyArray<BarGroup> =>
  listBarDates(range).map((key) => {
    const some = rows.filter(({ date }) => date === key)
    return { key, label: formatBarLabel(format, range, key), values: series.map((of) => sumRows(some, of)) }
  })

/** Returns the rows in a chart's currency, which is the org's currency unless no row uses it. */
export const selectMainCurrencyRows = <Row extends { readonly currency: string }>(
  rows: ReadonlyArray<Row>,
  currency: string
): ReadonlyArray<Row> => {
  const main = rows.some((row) => row.currency === currency) ? currency : rows[0]?.currency
  return rows.filter((row) => row.currency === main)
}

/** The maximum number of series. The last series combines the smaller ones. */
export const maxSeries = 5

/** Returns the percentage sold, rounded down, so that only a full departure shows 100%. */
export const computePercentSold = (
  rows: ReadonlyArray<{ readonly sold: number; readonly offered: number }>
): number | undefined => {
  const offeredSeats = sumRows(rows, (row) => row.offered)
  return offeredSeats === 0 ? undefined : Math.floor(100 * sumRows(rows, ({ sold }) => sold) / offeredSeats)
}
