import { invalid } from "@trailbook/core"
import {
  type HoursEntryView,
  offeringsCreate,
  offeringsGet,
  offeringsGetHours,
  offeringsList,
  offeringsSetHours,
  type OfferingView
} from "@trailbook/core/offering"
import { sessionsCreate } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as Zone from "@trailbook/core/time/Zone"
import type { Form as Typed } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import { getPublicUrl } from "../../Site.ts"
import { getZoneCity } from "../../text/Format.ts"
import { Button, DurationField, Field, HiddenFields, Icon, Link } from "../kit/elements.tsx"
import { page, type PageContext, redirectTo, usePage } from "../kit/page.tsx"
import { HoursSummary, isYearRound, parseHours, parseWeekdays, WeekdayCheckboxes } from "../offerings/hours.tsx"
import {
  type Bookability,
  BookabilityText,
  formatUnitPrice,
  isOfferingKind,
  loadBookability,
  offeringKindTexts
} from "../offerings/offeringTexts.tsx"
import { FormErrorNote, makeFormState } from "../parts/FormErrors.tsx"
import { parseAmountField, readInteger, readMinutes } from "../parts/numberFields.ts"

/** Guided setup for the first offering: activity, schedule, and a preview of the booking page. */
export const setupPage = page("/setup", {
  *view(context) {
    const progress = yield* loadSetupProgress(context)
    const isBookable = progress?.bookability.is === "bookable"
    return {
      title: isBookable ? "Guests can book now" : "Set up your first activity",
      lead: isBookable
        ? "Your booking page is ready. You can change everything later."
        : "Three short steps. You can finish later.",
      body: (
        <ol class="stack form steps">
          <Step at={1} title="Your activity" state={progress === undefined ? "now" : "done"}>
            <ActivityStep begun={progress} />
          </Step>
          <Step at={2} title="Your schedule" state={progress === undefined ? "later" : isBookable ? "done" : "now"}>
            {progress === undefined
              ? <p class="soft">Weekly hours or scheduled departures.</p>
              : <ScheduleStep begun={progress} />}
          </Step>
          <Step at={3} title="Your booking page" state={isBookable ? "now" : "later"}>
            <BookingPageStep isBookable={isBookable} offeringId={progress?.offering.id} />
          </Step>
        </ol>
      )
    }
  },
  *submit({ form, format, org, run }) {
    const offering = form["offering"] ?? ""
    switch (form["step"]) {
      case "what": {
        const kind = form["kind"]
        if (!isOfferingKind(kind)) return yield* invalid("Choose a booking type.")
        const offering = yield* run(offeringsCreate, {
          kind,
          name: form["name"] ?? "",
          price_cents: yield* parseAmountField(form, "price", org.currency),
          duration_minutes: yield* readMinutes(form, "duration"),
          idempotency_key: form["key"] ?? ""
        })
        return redirectTo(`/setup?offering=${offering.id}`)
      }
      case "dates": {
        const { starts_at, weeks } = yield* parseStart(form, org.timezone)
        yield* run(sessionsCreate, {
          offering_id: offering,
          starts_at,
          repeat_weeks: weeks,
          idempotency_key: form["key"] ?? ""
        })
        return redirectTo(`/setup?offering=${encodeURIComponent(offering)}`)
      }
      case "hours": {
        const { id } = yield* run(offeringsGet, { id: offering })
        const days = parseWeekdays(form)
        if (days.length === 0) return yield* invalid("Choose at least one day.")
        const rows = days.map((weekday) => ({ weekday, from: form["from"] ?? "", to: form["to"] ?? "" }))
        yield* run(offeringsSetHours, { id, hours: yield* parseHours(rows, format.weekdays("long")) })
        return redirectTo(`/setup?offering=${id}`)
      }
      default:
        return yield* invalid("Not saved. Submit one of the forms on this page.")
    }
  }
})

/** Parses the first start time, in local time, and the number of weeks. */
const parseStart = (form: Typed, timezone: string) =>
  Effect.gen(function*() {
    const date = LocalDate.parse(form["date"] ?? "")
    if (date === undefined) return yield* invalid("date: must be a date such as 2027-05-01")
    const time = LocalTime.parse(form["time"] ?? "")
    if (time === undefined) return yield* invalid("time: must be a time such as 09:00")
    const weeks = yield* readInteger(form, "weeks")
    if (weeks < 1 || weeks > 52) return yield* invalid("weeks: must be 1 to 52")
    return { starts_at: Instant.format(Zone.get(timezone).instantAt(date, time)), weeks }
  })

const Step = (
  { at, children, state, title }: {
    readonly at: number
    readonly title: string
    readonly state: "done" | "now" | "later"
    readonly children: ComponentChildren
  }
) => (
  <li class="card" aria-current={state === "now" ? "step" : undefined}>
    <header>
      <span class={state === "done" ? "who on" : "who"} aria-hidden="true">
        {state === "done" ? <Icon name="check" /> : at}
      </span>
      <h2>
        {title}
        {state === "done" && <span class="sr">(done)</span>}
      </h2>
    </header>
    <div class="pad stack">{children}</div>
  </li>
)

/** A link to the booking page, and recommended next steps. */
const BookingPageStep = ({ isBookable, offeringId }: {
  readonly isBookable: boolean
  readonly offeringId: string | undefined
}) => {
  const context = usePage()
  const { isOwner, org, site } = context
  const path = `/book/${org.slug}` as const
  if (!isBookable || offeringId === undefined) {
    return (
      <p class="soft">
        Booking page address <span dir="ltr">{getPublicUrl(context, path)}</span>
      </p>
    )
  }
  return (
    <>
      <p>
        Share this address with your guests: <a href={site.link(path)} dir="ltr">{getPublicUrl(context, path)}</a>
      </p>
      <p class="acts">
        <a class="btn main" href={site.link(`${path}/${offeringId}`)}>View booking page</a>
        {site.isWidget && <a class="btn" href={site.link(`/widget/${org.slug}`)}>Add to your website</a>}
      </p>
      <h3>Optional next steps</h3>
      <ul class="points">
        {isOwner && (
          <>
            <li>
              <Link to="/payments">Take payments</Link>: until then, guests pay on arrival.
            </li>
            <li>
              <Link to="/team">Invite your team</Link>. Each member gets a sign-in link by email.
            </li>
            <li>
              <Link to="/settings">Color, logo, and replies</Link>: customize your pages and automatic replies.
            </li>
          </>
        )}
        <li>
          <Link to="/offerings/new">Add another activity</Link>
        </li>
      </ul>
    </>
  )
}

/**
 * The offering being set up, its bookability, and its weekly hours. The progress is derived from the org's offerings and
 * not stored separately, so setup can be interrupted and resumed.
 */
interface SetupProgress {
  readonly offering: OfferingView
  readonly bookability: Bookability
  readonly hours: ReadonlyArray<HoursEntryView>
}

/** The maximum number of offerings to examine. An org with more offerings than this has already set one up. */
const maxOfferings = 10

/** Loads the offering specified in the URL, falling back to the first bookable one and then to the first one. */
const loadSetupProgress = (page: PageContext) =>
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
const ScheduleStep = (props: Props) => {
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
      {isSimple
        ? (
          <form class="stack" method="post" action={site.link("/dashboard/setup")}>
            <WeekdayCheckboxes label="Open on" typed={typed} />
            <div class="fields">
              <Field {...field("from")} input={{ type: "time" }} />
              <Field {...field("to")} hint={`${getZoneCity(org.timezone)} time.`} input={{ type: "time" }} />
            </div>
            <HiddenFields values={{ step: "hours", offering: offering.id }} />
            <p class="acts">
              <button class={bookability.is === "bookable" ? "btn" : "btn main"}>Save these hours</button>
              <Button look="plain" to={`/offerings/${offering.id}/hours`}>Different hours per day</Button>
            </p>
          </form>
        )
        : (
          <p>
            <Button to={`/offerings/${offering.id}/hours`}>Change the hours</Button>
          </p>
        )}
    </>
  )
}

const labels = { name: "Name", price: "Price", duration: "Duration", kind: "Booking type" }

/** Step 1: the four fields that every offering requires. */
const ActivityStep = ({ begun }: { readonly begun: SetupProgress | undefined }) => {
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
