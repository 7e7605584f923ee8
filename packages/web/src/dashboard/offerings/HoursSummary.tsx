import type { HoursEntryView } from "@trailbook/core/offering/OfferingView"
import { Fragment } from "preact"
import type { Format } from "../../text/Format.ts"
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
