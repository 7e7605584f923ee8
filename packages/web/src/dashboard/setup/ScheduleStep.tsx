import * as LocalDate from "@trailbook/core/time/LocalDate"
import { getZoneCity } from "../../text/Format.ts"
import { Field, HiddenFields } from "../../ui/Field.tsx"
import { Button } from "../kit/elements.tsx"
import { BookabilityText } from "../offerings/bookability.tsx"
import { isYearRound } from "../offerings/hoursForm.ts"
import { HoursSummary, Weekdays } from "../offerings/HoursSummary.tsx"
import { usePage } from "../Page.ts"
import { FormErrorNote, makeForm } from "../parts/FormErrors.tsx"
import type { SetupProgress } from "./setupState.ts"

interface Props {
  readonly begun: SetupProgress
}

/** Step 2: departures or weekly hours. */
export const ScheduleStep = (props: Props) => {
  const { begun: { offering, bookability } } = props
  const { site } = usePage()
  return (
    <>
      <p>
        <BookabilityText id={offering.id} of={bookability} />
      </p>
      {bookability.is === "paused"
        ? (
          <form method="post" action={site.link(`/dashboard/offerings/${offering.id}/pause`)}>
            <button class="btn main" name="active" value="true">Resume booking</button>
          </form>
        )
        : offering.kind === "class"
        ? bookability.is === "bookable"
          ? (
            <p>
              <Button to={`/offerings/${offering.id}/sessions`}>All dates</Button>
            </p>
          )
          : <DatesForm {...props} />
        : <HoursForm {...props} />}
    </>
  )
}

const dateLabels = { date: "First date", time: "Time", weeks: "Number of weeks" }

const DatesForm = ({ begun: { offering } }: Props) => {
  const { clock: { today }, org, rejection, site } = usePage()
  const tomorrow = LocalDate.format(LocalDate.addDays(today, 1))
  const rejectedForm = rejection?.form["step"] === "dates" ? rejection : undefined
  const { field, key, mistakes } = makeForm(rejectedForm, dateLabels, { date: tomorrow, time: "09:00", weeks: "1" })
  return (
    <form class="stack" method="post" action={site.link("/dashboard/setup")} data-once="">
      <FormErrorNote of={mistakes} />
      <div class="fields">
        <Field {...field("date")} input={{ type: "date" }} />
        <Field {...field("time")} hint={`${getZoneCity(org.timezone)} time.`} input={{ type: "time" }} />
        <Field
          {...field("weeks")}
          hint="1 to 52. The departure repeats weekly at the same time."
          input={{ type: "number", min: 1, max: 52 }}
        />
      </div>
      <HiddenFields values={{ step: "dates", offering: offering.id, key }} />
      <p>
        <button class="btn main">Add departures</button>
      </p>
    </form>
  )
}

const hourLabels = { from: "From", to: "Until" }

const HoursForm = ({ begun: { hours, offering, bookability } }: Props) => {
  const { format, org, rejection, site } = usePage()
  const rejectedForm = rejection?.form["step"] === "hours" ? rejection : undefined
  const days = [...new Set(hours.map(({ weekday }) => weekday))]
  const [firstEntry] = hours
  // Saving replaces all hours, so this form is used only if all of them are year-round weekly hours with the same
  // times.
  const isSimple = hours.every((entry) =>
    isYearRound(entry) && entry.start_time === firstEntry?.start_time && entry.end_time === firstEntry.end_time
  )
  const { field, mistakes, typed } = makeForm(rejectedForm, hourLabels, {
    from: (firstEntry?.start_time ?? "09:00").slice(0, 5),
    to: (firstEntry?.end_time ?? "17:00").slice(0, 5).replace("24:00", "00:00"),
    ...Object.fromEntries(days.map((day) => [`day-${day}`, "on"]))
  })
  return (
    <>
      <FormErrorNote of={mistakes} />
      {bookability.is === "bookable" && <HoursSummary hours={hours} format={format} />}
      {isSimple && (
        <form class="stack" method="post" action={site.link("/dashboard/setup")}>
          <Weekdays label="Open on" typed={typed} />
          <div class="fields">
            <Field {...field("from")} input={{ type: "time" }} />
            <Field {...field("to")} hint={`${getZoneCity(org.timezone)} time.`} input={{ type: "time" }} />
          </div>
          <HiddenFields values={{ step: "hours", offering: offering.id }} />
          <p class="acts">
            <button class={bookability.is === "bookable" ? "btn" : "btn main"}>Save these hours</button>
            <Button look="plain" to={`/offerings/${offering.id}/hours`}>
              Different hours per day
            </Button>
          </p>
        </form>
      )}
      {!isSimple && (
        <p>
          <Button to={`/offerings/${offering.id}/hours`}>Change the hours</Button>
        </p>
      )}
    </>
  )
}
