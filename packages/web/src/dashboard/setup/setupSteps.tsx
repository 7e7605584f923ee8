/**
 * The setup steps. The progress is derived from the org's offerings and not stored separately, so setup can be
 * interrupted and resumed.
 */
import { type HoursEntryView, offeringsGetHours, offeringsList, type OfferingView } from "@trailbook/core/offering"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import { getZoneCity } from "../../text/Format.ts"
import { Button, DurationField, Field, HiddenFields, Link } from "../kit/elements.tsx"
import { HoursSummary, isYearRound, WeekdayCheckboxes } from "../offerings/hours.tsx"
import {
  type Bookability,
  BookabilityText,
  formatUnitPrice,
  loadBookability,
  offeringKindTexts
} from "../offerings/offeringTexts.tsx"
import { type PageContext, usePage } from "../Page.ts"
import { FormErrorNote, makeFormState } from "../parts/FormErrors.tsx"

/** The offering being set up, its bookability, and its weekly hours. */
interface SetupProgress {
  readonly offering: OfferingView
  readonly bookability: Bookability
  readonly hours: ReadonlyArray<HoursEntryView>
}

/** The maximum number of offerings to examine. An org with more offerings than this has already set one up. */
const maxOfferings = 10

/** Loads the offering specified in the URL, falling back to the first bookable one and then to the first one. */
export const loadSetupProgress = (page: PageContext) =>
  Effect.gen(function*() {
    const { query, run } = page
    const { data } = yield* run(offeringsList, { limit: maxOfferings })
    const requestedOffering = data.find(({ id }) => id === (query("offering") ?? page.rejection?.form["offering"]))
    let first: Pick<SetupProgress, "offering" | "bookability"> | undefined
    for (const offering of requestedOffering === undefined ? data : [requestedOffering]) {
      const bookability = yield* loadBookability(page, offering)
      first ??= { offering, bookability }
      if (bookability.is !== "bookable") continue
      first = { offering, bookability }
      break
    }
    if (first === undefined) return undefined
    const { data: hours } = yield* run(offeringsGetHours, { id: first.offering.id })
    const progress: SetupProgress = { ...first, hours }
    return progress
  })

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
  const { field, key, mistakes } = makeFormState(rejectedForm, dateLabels, {
    date: tomorrow,
    time: "09:00",
    weeks: "1"
  })
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
  const { org, rejection, site } = usePage()
  const rejectedForm = rejection?.form["step"] === "hours" ? rejection : undefined
  const days = [...new Set(hours.map(({ weekday }) => weekday))]
  const [firstEntry] = hours
  // Saving replaces all hours, so this form is used only if all of them are year-round weekly hours with the same
  // times.
  const isSimple = hours.every((entry) =>
    isYearRound(entry) && entry.start_time === firstEntry?.start_time && entry.end_time === firstEntry.end_time
  )
  const { field, mistakes, typed } = makeFormState(rejectedForm, hourLabels, {
    from: (firstEntry?.start_time ?? "09:00").slice(0, 5),
    to: (firstEntry?.end_time ?? "17:00").slice(0, 5).replace("24:00", "00:00"),
    ...Object.fromEntries(days.map((day) => [`day-${day}`, "on"]))
  })
  return (
    <>
      <FormErrorNote of={mistakes} />
      {bookability.is === "bookable" && <HoursSummary hours={hours} />}
      {isSimple && (
        <form class="stack" method="post" action={site.link("/dashboard/setup")}>
          <WeekdayCheckboxes label="Open on" typed={typed} />
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

const labels = { name: "Name", price: "Price", duration: "Duration", kind: "Booking type" }

/** Step 1: the four fields that every offering requires. */
export const ActivityStep = ({ begun }: { readonly begun: SetupProgress | undefined }) => {
  const { format, isOwner, org, rejection, site } = usePage()
  if (begun !== undefined) {
    const { offering } = begun
    return (
      <p>
        <b dir="auto">{offering.name}</b>
        {` · ${formatUnitPrice(format, offering)} · ${format.length(offering.duration_minutes)} · `}
        <Link to={`/offerings/${offering.id}`}>Edit activity</Link>
      </p>
    )
  }
  const rejectedForm = rejection?.form["step"] === "what" ? rejection : undefined
  const initialValues = { kind: "class", duration: "2", duration_unit: "hours" }
  const { field, key, mistakes, typed } = makeFormState(rejectedForm, labels, initialValues, {
    price_cents: "price",
    duration_minutes: "duration"
  })
  const code = org.currency.toUpperCase()
  return (
    <form class="stack" method="post" action={site.link("/dashboard/setup")} data-once="">
      <FormErrorNote of={mistakes} />
      <fieldset class="stack tight">
        <legend class="label">{labels.kind}</legend>
        {Object.entries(offeringKindTexts).map(([kind, { example, name, words }]) => (
          <div key={kind} class="check">
            <input
              type="radio"
              id={`kind-${kind}`}
              name="kind"
              value={kind}
              checked={kind === typed["kind"]}
              aria-describedby={`kind-${kind}-hint`}
            />
            <div>
              <label for={`kind-${kind}`}>{name}</label>
              <p class="hint" id={`kind-${kind}-hint`}>{`${words} ${example}.`}</p>
            </div>
          </div>
        ))}
      </fieldset>
      <Field
        {...field("name")}
        hint="Shown to guests, for example: Half-day raft trip."
        input={{ maxLength: 120, dir: "auto" }}
      />
      <div class="fields">
        <Field
          {...field("price")}
          hint={`In ${code}, per seat, per booking, or per item per period. Enter 0 for free.`}
          input={{ inputMode: "decimal", maxLength: 30 }}
        />
        <DurationField
          {...field("duration")}
          typed={typed}
          hint="For a rental, enter the rental period, such as 1 day."
        />
      </div>
      {isOwner && (
        <p class="soft small">
          {`Prices are in ${code}, and times are in ${org.timezone}. `}
          <Link to="/settings">Change settings</Link>
        </p>
      )}
      <HiddenFields values={{ step: "what", key }} />
      <p>
        <button class="btn main">Continue</button>
      </p>
    </form>
  )
}
