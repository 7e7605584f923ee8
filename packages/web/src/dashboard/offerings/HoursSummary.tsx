import type { HoursEntryView } from "@trailbook/core/offering/OfferingView"
import type { Form } from "@trailbook/http/form"
import { Fragment } from "preact"
import type { Format } from "../../text/Format.ts"
import { usePage } from "../Page.ts"
import { isWeekly } from "./hoursForm.ts"

/** Read-only weekly hours. */
export const HoursSummary = (
  { format, hours }: { readonly hours: ReadonlyArray<HoursEntryView>; readonly format: Format }
) => {
  const names = format.weekdays("long")
  return (
    <dl class="what">
      {daysFrom(format.weekBegins).map((weekday) => {
        const windows = hours.filter((entry) => isWeekly(entry) && entry.weekday === weekday)
          .map(({ end_time, start_time }) => `${format.wall(start_time)} – ${format.wall(end_time)}`)
        return (
          <Fragment key={weekday}>
            <dt>{names[weekday]}</dt>
            <dd class={windows.length === 0 ? "soft" : "num"}>
              {windows.length === 0 ? "Closed" : windows.join(", ")}
            </dd>
          </Fragment>
        )
      })}
    </dl>
  )
}

/** Weekdays in the order of the reader's region. 0 is Sunday. */
export const daysFrom = (first: 0 | 1): ReadonlyArray<number> => [0, 1, 2, 3, 4, 5, 6].map((day) => (day + first) % 7)

/** Check boxes for the days of the week. */
export const Weekdays = ({ label, typed }: { readonly label: string; readonly typed: Form }) => {
  const { format } = usePage()
  const names = format.weekdays("long")
  return (
    <fieldset id="weekdays" tabIndex={-1}>
      <legend class="label">{label}</legend>
      <div class="acts">
        {daysFrom(format.weekBegins).map((day) => (
          <label key={day} class="check">
            <input type="checkbox" name={`day-${day}`} value="on" checked={typed[`day-${day}`] === "on"} />
            <span>{names[day]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** The days that are checked in {@link Weekdays}. */
export const weekdaysIn = (form: Form): ReadonlyArray<number> =>
  daysFrom(0).filter((day) => form[`day-${day}`] === "on")
