import { getLocalDate } from "../offering/listSlots.ts"
import type { Instant } from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import type { Zone } from "../time/Zone.ts"

export const reportPeriods = ["day", "week", "month"] as const

/** The period of a row. A week starts on Monday. */
export type ReportPeriod = (typeof reportPeriods)[number]

/** Returns the first date of the period that contains a date. */
export const getPeriodStart = (period: ReportPeriod, date: LocalDate.LocalDate): LocalDate.LocalDate =>
  period === "day"
    ? date
    : period === "month"
    ? LocalDate.firstOfMonth(date)
    : LocalDate.addDays(date, -((LocalDate.weekday(date) + 6) % 7))

/** Returns a function that converts a time to the first local date of its period. */
export const makeGetPeriodStart = (period: ReportPeriod, zone: Zone) => (at: Instant): LocalDate.LocalDate =>
  getPeriodStart(period, getLocalDate(zone, at))

/** Collects rows by key. `get` creates the row for a new key. */
export class RowsByKey<Row> {
  readonly #rows = new Map<string, Row>()
  get(key: string, make: () => Row): Row {
    const existing = this.#rows.get(key)
    if (existing !== undefined) return existing
    const row = make()
    this.#rows.set(key, row)
    return row
  }
  sorted(compare: (a: Row, b: Row) => number): ReadonlyArray<Row> {
    return [...this.#rows.values()].sort(compare)
  }
}

/** Compares strings by code unit. Unlike locale order, code unit order is the same on every machine. */
export const compareStrings = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0
