/** Weekly hours: their seasons, their form rows, and their summary. */
import { invalid, type Refusal } from "@trailbook/core"
import type { HoursEntryView } from "@trailbook/core/offering"
import type { Form } from "@trailbook/http/request/formBody"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { Fragment } from "preact"
import type { Format } from "../../text/Format.ts"
import { usePage } from "../Page.ts"

/** A row as typed. A new row is empty. */
export interface HoursRow {
  readonly weekday: number
  readonly from: string
  readonly to: string
}

/** The key of the hours that apply all year. */
export const yearRoundKey = "/"

/**
 * Returns a weekly entry's season as its first and last date: `2027-06-01/2027-09-06`. Returns undefined for an
 * individual date.
 */
export const getSeasonKey = ({ date, valid_from = "", valid_until = "" }: HoursEntryView): string | undefined =>
  date === undefined ? `${valid_from}/${valid_until}` : undefined

/** Returns the seasons, earliest first, preceded by the year-round hours. */
export const listSeasons = (hours: ReadonlyArray<HoursEntryView>): ReadonlyArray<string> =>
  [...new Set([yearRoundKey, ...hours.flatMap((entry) => getSeasonKey(entry) ?? [])])].toSorted()

/** Formats a season: `Jun 1 – Sep 6`. Either date may be missing. */
export const formatSeason = ({ shortDate }: Format, season: string): string => {
  const [from = "", until = ""] = season.split("/")
  const dateWithYear = (date: string) => `${shortDate(date)}, ${date.slice(0, 4)}`
  if (season === yearRoundKey) return "All year"
  if (from === "") return `Until ${dateWithYear(until)}`
  return until === "" ? `From ${dateWithYear(from)}` : `${dateWithYear(from)} – ${dateWithYear(until)}`
}

/** Whether an entry applies all year. */
export const isYearRound = (entry: HoursEntryView): boolean => getSeasonKey(entry) === yearRoundKey

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

interface Props {
  readonly hours: ReadonlyArray<HoursEntryView>
}

/** Shows the hours for each season and for individual dates, without a form. */
export const HoursSummary = ({ hours }: Props) => {
  const { format } = usePage()
  const seasons = listSeasons(hours)
  const dates = Object.entries(Arr.groupBy(hours.filter(({ date }) => date !== undefined), ({ date = "" }) => date))
  return (
    <>
      {seasons.filter((season) => seasons.length === 1 || season !== yearRoundKey || hours.some(isYearRound)).map((
        season
      ) => (
        <Fragment key={season}>
          {seasons.length > 1 && <h3>{formatSeason(format, season)}</h3>}
          <WeekSummary hours={hours.filter((entry) => getSeasonKey(entry) === season)} />
        </Fragment>
      ))}
      {dates.length > 0 && (
        <>
          <h3>Single dates</h3>
          <dl class="what">
            {dates.toSorted(([a], [b]) => a < b ? -1 : 1).map(([date, entries]) => (
              <Fragment key={date}>
                <dt>{`${format.shortDate(date)}, ${date.slice(0, 4)}`}</dt>
                <dd class="num">{formatOpeningHours(format, entries)}</dd>
              </Fragment>
            ))}
          </dl>
        </>
      )}
    </>
  )
}

export const formatOpeningHours = ({ wall }: Format, entries: ReadonlyArray<HoursEntryView>): string =>
  entries.map(({ end_time, start_time }) => `${wall(start_time)} – ${wall(end_time)}`).join(", ")

const WeekSummary = ({ hours }: Props) => {
  const { format } = usePage()
  const names = format.weekdays("long")
  return (
    <dl class="what">
      {listWeekdaysFrom(format.weekBegins).map((weekday) => {
        const entries = hours.filter((entry) => entry.weekday === weekday)
        return (
          <Fragment key={weekday}>
            <dt>{names[weekday]}</dt>
            <dd class={entries.length === 0 ? "soft" : "num"}>
              {entries.length === 0 ? "Closed" : formatOpeningHours(format, entries)}
            </dd>
          </Fragment>
        )
      })}
    </dl>
  )
}

/** Returns the weekdays in the order used in the reader's region. 0 is Sunday. */
export const listWeekdaysFrom = (first: 0 | 1): ReadonlyArray<number> =>
  [0, 1, 2, 3, 4, 5, 6].map((day) => (day + first) % 7)

/** Check boxes for the days of the week. */
export const WeekdayCheckboxes = ({ label, typed }: { readonly label: string; readonly typed: Form }) => {
  const { format } = usePage()
  const names = format.weekdays("long")
  return (
    <fieldset id="weekdays" tabIndex={-1}>
      <legend class="label">{label}</legend>
      <div class="acts">
        {listWeekdaysFrom(format.weekBegins).map((day) => (
          <label key={day} class="check">
            <input type="checkbox" name={`day-${day}`} value="on" checked={typed[`day-${day}`] === "on"} />
            <span>{names[day]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Returns the days that are checked in {@link WeekdayCheckboxes}. */
export const parseWeekdays = (form: Form): ReadonlyArray<number> =>
  listWeekdaysFrom(0).filter((day) => form[`day-${day}`] === "on")
