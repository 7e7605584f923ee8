import { invalid, type Refusal } from "@trailbook/core"
import type { HoursEntryView } from "@trailbook/core/offering"
import type { Form } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import type { Format } from "../../text/Format.ts"

/** A row as typed. A new row is empty. */
export interface HoursRow {
  readonly weekday: number
  readonly from: string
  readonly to: string
}

/** The key of the hours that apply all year. */
export const allYearKey = "/"

/**
 * Returns a weekly entry's season as its first and last date: `2027-06-01/2027-09-06`. Returns undefined for an
 * individual date.
 */
export const toSeason = ({ date, valid_from = "", valid_until = "" }: HoursEntryView): string | undefined =>
  date === undefined ? `${valid_from}/${valid_until}` : undefined

/** Returns the seasons, earliest first, preceded by the year-round hours. */
export const listSeasons = (hours: ReadonlyArray<HoursEntryView>): ReadonlyArray<string> =>
  [...new Set([allYearKey, ...hours.flatMap((entry) => toSeason(entry) ?? [])])].toSorted()

/** Formats a season: `Jun 1 – Sep 6`. Either date may be missing. */
export const formatSeason = ({ shortDate }: Format, season: string): string => {
  const [from = "", until = ""] = season.split("/")
  const dateWithYear = (date: string) => `${shortDate(date)}, ${date.slice(0, 4)}`
  if (season === allYearKey) return "All year"
  if (from === "") return `Until ${dateWithYear(until)}`
  return until === "" ? `From ${dateWithYear(from)}` : `${dateWithYear(from)} – ${dateWithYear(until)}`
}

/** Whether an entry applies all year. */
export const isYearRound = (entry: HoursEntryView): boolean => toSeason(entry) === allYearKey

export const toHoursRows = (hours: ReadonlyArray<HoursEntryView>): ReadonlyArray<HoursRow> =>
  hours.map(({ end_time, start_time, weekday }) => ({
    weekday,
    from: toTimeInput(start_time),
    to: toTimeInput(end_time)
  }))

/** Returns the value for a time input. Time inputs do not accept 24:00, so the end of the day is 00:00. */
const toTimeInput = (time: string): string => {
  const [hour = "00", minute = "00", second = "00"] = time.split(":")
  return `${hour === "24" ? "00" : hour}:${minute}${second === "00" ? "" : `:${second}`}`
}

/** Returns the submitted rows in order. */
export const parseHoursRows = (form: Form): ReadonlyArray<HoursRow> =>
  Object.entries(form).flatMap(([name, from]) => {
    const [, weekday, at] = /^from-([0-6])-(\d{1,3})$/.exec(name) ?? []
    return weekday === undefined ? [] : [{ weekday: Number(weekday), from, to: form[`to-${weekday}-${at}`] ?? "" }]
  })

/** Applies the button that adds, removes, or copies rows, or returns undefined for Save. */
export const applyHoursButton = (
  rows: ReadonlyArray<HoursRow>,
  button: string | undefined
): ReadonlyArray<HoursRow> | undefined => {
  const [, action, day, at] = /^(add|copy|remove)-([0-6])(?:-(\d{1,3}))?$/.exec(button ?? "") ?? []
  const weekday = Number(day)
  const dayRows = rows.filter((row) => row.weekday === weekday)
  const otherRows = rows.filter((row) => row.weekday !== weekday)
  switch (action) {
    case "add":
      return [...rows, { weekday, ...(dayRows.length === 0 ? { from: "09:00", to: "17:00" } : { from: "", to: "" }) }]
    case "remove":
      return [...otherRows, ...dayRows.filter((_, index) => index !== Number(at))]
    case "copy":
      return [0, 1, 2, 3, 4, 5, 6].flatMap((weekday) => dayRows.map((row) => ({ ...row, weekday })))
    default:
      return undefined
  }
}

/** Parses the hours. Empty rows are skipped, and errors name the weekday. */
export const parseHours = (
  rows: ReadonlyArray<HoursRow>,
  names: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<HoursEntryView>, Refusal<"invalid_request">> =>
  Effect.gen(function*() {
    const hours: Array<HoursEntryView> = []
    for (const { from, to, weekday } of rows) {
      if (from === "" && to === "") continue
      const day = names[weekday] ?? ""
      if (from === "" || to === "") return yield* invalid(`${day}: enter both times, or leave both empty.`)
      const end = /^00:00(?::00)?$/.test(to) ? "24:00" : to
      if (end <= from) {
        return yield* invalid(
          `${day}: the end must be after the start. For hours past midnight, end at midnight and start the next day at midnight.`
        )
      }
      hours.push({ weekday, start_time: from, end_time: end })
    }
    return hours
  })
