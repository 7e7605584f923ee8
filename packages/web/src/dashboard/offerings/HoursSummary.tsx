import type { HoursEntryView } from "@trailbook/core/offering"
import type { Form } from "@trailbook/http/request/formBody"
import * as Arr from "effect/Array"
import { Fragment } from "preact"
import type { Format } from "../../text/Format.ts"
import { usePage } from "../Page.ts"
import { allYearKey, formatSeason, isYearRound, listSeasons, toSeason } from "./hoursForm.ts"

interface Props {
  readonly hours: ReadonlyArray<HoursEntryView>
  readonly format: Format
}

/** Shows the hours for each season and for individual dates, without a form. */
export const HoursSummary = ({ format, hours }: Props) => {
  const seasons = listSeasons(hours)
  const dates = Object.entries(Arr.groupBy(hours.filter(({ date }) => date !== undefined), ({ date = "" }) => date))
  return (
    <>
      {seasons.filter((season) => seasons.length === 1 || season !== allYearKey || hours.some(isYearRound)).map((
        season
      ) => (
        <Fragment key={season}>
          {seasons.length > 1 && <h3>{formatSeason(format, season)}</h3>}
          <WeekSummary hours={hours.filter((entry) => toSeason(entry) === season)} format={format} />
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

const WeekSummary = ({ format, hours }: Props) => {
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
export const Weekdays = ({ label, typed }: { readonly label: string; readonly typed: Form }) => {
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

/** Returns the days that are checked in {@link Weekdays}. */
export const parseWeekdays = (form: Form): ReadonlyArray<number> =>
  listWeekdaysFrom(0).filter((day) => form[`day-${day}`] === "on")
