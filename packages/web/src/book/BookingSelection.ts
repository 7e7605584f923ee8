import * as LocalDate from "@trailbook/core/time/LocalDate"
import { isId } from "../isId.ts"

/** The guest's choices so far, parsed from a URL query or a form. Invalid values are dropped. */
export interface BookingSelection {
  /** `2026-11` */
  readonly month: string | undefined
  /** `2026-11-23` */
  readonly date: string | undefined
  readonly quantity: number
  readonly periods: number | undefined
  /** Session ID or start time. */
  readonly slot: string | undefined
}

export const parseSelection = (given: Readonly<Record<string, string | undefined>>): BookingSelection => {
  const month = `${given["month"] ?? ""}-01`
  const date = given["date"] ?? ""
  const slot = given["slot"] ?? ""
  return {
    month: LocalDate.parse(month) === undefined ? undefined : month.slice(0, 7),
    date: LocalDate.parse(date) === undefined ? undefined : date,
    quantity: count(given["quantity"], 10_000) ?? 1,
    periods: count(given["periods"], 60),
    slot: isId(slot) || isInstant(slot) ? slot : undefined
  }
}

/** Query parameters of a request. Only the first value of a repeated parameter is used. */
export const toQuery = (request: Request): Readonly<Record<string, string | undefined>> => {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URL(request.url).searchParams) query[name] ??= value
  return query
}

const isInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)

const count = (text: string | undefined, most: number): number | undefined =>
  text === undefined || !/^[1-9]\d{0,4}$/.test(text) ? undefined : Math.min(Number(text), most)
