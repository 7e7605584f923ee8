import type { OfferingView } from "@trailbook/core/offering"
import type { Operation } from "@trailbook/core/operation/Operation"
import { sessionsPlan } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import type { Form as Typed } from "@trailbook/http/request/formBody"
import * as Arr from "effect/Array"
import { getZoneCity } from "../../text/Format.ts"
import { Card, FieldGroup, HiddenFields, Link } from "../kit/elements.tsx"
import { Form, makeOperationForm } from "../kit/operationForm.tsx"
import { page, type PageContent, type PageContext, redirectTo, usePage } from "../kit/page.tsx"
import { toDateTimeLocal } from "../parts/dateTimes.ts"
import { parseWeekdays, WeekdayCheckboxes } from "./hours.tsx"
import { loadClassOffering } from "./SessionsPage.tsx"

type Plan = Operation.Output<typeof sessionsPlan>

const planForm = makeOperationForm(sessionsPlan, {
  from_date: "First date",
  to_date: "Last date",
  weekdays: { label: "Weekdays", isOwn: true },
  times: { label: "Start times", isOwn: true },
  except_dates: { label: "Skip these dates", isOwn: true },
  capacity: { label: "Seats", optional: "leave empty to use the activity's default" }
})

/** Adds a single class departure or an entire season of departures, after a preview. */
export const newSessionsPage = page("/offerings/:id/sessions/new", {
  *view(context) {
    const { clock: { today }, query } = context
    const requestedDate = LocalDate.parse(query("date") ?? "") ?? LocalDate.addDays(today, 1)
    const date = LocalDate.format(requestedDate)
    const formValues = { from_date: date, to_date: date, time_0: query("time") ?? "09:00" }
    return renderContent(context, yield* loadClassOffering(context), formValues, undefined)
  },
  *submit(context) {
    const { clock: { zone }, form, run } = context
    const offering = yield* loadClassOffering(context)
    const weekdays = parseWeekdays(form)
    const input = {
      ...yield* planForm.read(context),
      id: offering.id,
      weekdays: weekdays.length === 0 ? [0, 1, 2, 3, 4, 5, 6] : weekdays,
      times: readValues(form, "time"),
      except_dates: readValues(form, "except")
    }
    if (form["do"] !== "add") {
      return renderContent(context, offering, form, yield* run(sessionsPlan, { ...input, dry_run: true }))
    }
    const { created, sessions } = yield* run(sessionsPlan, input)
    const firstStart = sessions.find(({ outcome }) => outcome === "created")?.starts_at ?? context.now
    return redirectTo(
      `/offerings/${offering.id}/sessions?from=${LocalDate.format(zone.dateAt(Instant.make(Date.parse(firstStart))))}`,
      created === 1 ? "date_added" : "dates_added"
    )
  }
})

/** Returns the filled-in rows of a repeated input: `time_0`, `time_1`, … */
const readValues = (form: Typed, name: string): ReadonlyArray<string> =>
  Object.entries(form).flatMap(([key, value]) => key.startsWith(`${name}_`) && value !== "" ? [value] : [])

const renderContent = (
  { format, org }: PageContext,
  offering: OfferingView,
  formValues: Typed,
  plan: Plan | undefined
): PageContent => ({
  title: "Add departures",
  lead: (
    <>
      <Link to={`/offerings/${offering.id}/sessions`} dir="auto">{offering.name}</Link>
      {` · ${format.length(offering.duration_minutes)} · all times are in ${getZoneCity(org.timezone)} time`}
    </>
  ),
  body: (
    <div class="stack form">
      {plan !== undefined && <PlanPreview plan={plan} offering={offering} typed={formValues} />}
      <Form
        of={planForm}
        own={formValues}
        title={plan === undefined ? "Departures" : "Edit"}
        button="Preview departures"
        back={`/offerings/${offering.id}/sessions`}
        backLabel="Cancel"
      >
        {(fields, { error, typedValues }) => (
          <>
            <div class="fields">{fields("from_date", "to_date")}</div>
            <WeekdayCheckboxes label="On these weekdays (daily if none are checked)" typed={typedValues} />
            <RowInputs
              name="time"
              id="times"
              label="Start times"
              type="time"
              typed={typedValues}
              error={error("times")}
            />
            <RowInputs
              name="except"
              id="except_dates"
              label="Skip these dates (optional)"
              type="date"
              typed={typedValues}
              error={error("except_dates")}
            />
            {fields("capacity")}
          </>
        )}
      </Form>
    </div>
  )
})

/** The inputs for start times or skipped dates, followed by two empty ones. Each preview adds more. */
const RowInputs = ({ error, id, label, name, type, typed }: {
  readonly name: string
  readonly id: string
  readonly label: string
  readonly type: "time" | "date"
  readonly typed: Typed
  readonly error: string | undefined
}) => {
  const filledRows = readValues(typed, name)
  return (
    <FieldGroup id={id} label={label} error={error}>
      <div class="window">
        {[...filledRows, "", ""].map((value, at) => (
          <input
            key={at}
            class="input"
            type={type}
            name={`${name}_${at}`}
            aria-label={`${type === "time" ? "Start time" : "Skipped date"} ${at + 1}`}
            value={value}
          />
        ))}
      </div>
    </FieldGroup>
  )
}

const PlanPreview = ({ offering, plan, typed }: {
  readonly plan: Plan
  readonly offering: OfferingView
  readonly typed: Typed
}) => {
  const { format, path, site } = usePage()
  const { closed, created, existing, past, sessions } = plan
  const months = Arr.groupBy(sessions, ({ starts_at }) => format.month(format.localDate(starts_at)))
  const { do: _, ...rest } = typed
  return (
    <Card
      id="planned"
      title={created === 1 ? "1 new departure" : `${format.number(created)} new departures`}
      headerEnd={
        <span class="soft">
          {([[existing, "already added"], [closed, "on closed dates"], [past, "in the past"]] as const)
            .flatMap(([count, text]) => count === 0 ? [] : [`${format.number(count)} ${text}`]).join(", ")}
        </span>
      }
    >
      {sessions.length === 0 && <p class="pad">No dates match these weekdays.</p>}
      {Object.entries(months).map(([month, starts]) => (
        <details key={month} class="pad" open={sessions.length <= maxExpandedSessions}>
          <summary>
            {`${month}: ${
              starts.filter(({ outcome }) => outcome === "created").length
            } new`}
          </summary>
          <ol class="rows">
            {starts.map(({ outcome, starts_at: at }) => (
              <li key={at}>
                <span class="num grow">{`${format.longDay(at)}, ${format.time(at)} ${format.zone(at)}`}</span>
                <Outcome of={outcome} at={at} offering={offering} times={readValues(typed, "time")} />
              </li>
            ))}
          </ol>
        </details>
      ))}
      {created > 0 && (
        <form class="pad acts" method="post" action={site.link(`/dashboard${path}`)} data-once="">
          <HiddenFields values={{ ...rest, do: "add" }} />
          <button class="btn main">{created === 1 ? "Add departure" : `Add ${created} departures`}</button>
        </form>
      )}
    </Card>
  )
}

/** Longer previews start with the months collapsed. */
const maxExpandedSessions = 40

const outcomeLabels = {
  past: "Not added (in the past)",
  existing: "A departure at this time already exists",
  closed: "Not added (closed date)"
}

/** The outcome for a start time, or why guests cannot book the new departure. */
const Outcome = ({ at, of, offering, times }: {
  readonly of: Plan["sessions"][number]["outcome"]
  readonly at: string
  readonly offering: OfferingView
  readonly times: ReadonlyArray<string>
}) => {
  const { clock: { today, zone }, org } = usePage()
  if (of !== "created") return <span class="tag warn">{outcomeLabels[of]}</span>
  const start = Instant.make(Date.parse(at))
  if (zone.dateAt(start) > LocalDate.addDays(today, offering.max_advance_days)) {
    return <span class="tag warn">Not open for booking yet</span>
  }
  return times.includes(toDateTimeLocal(at, org.timezone).slice(11))
    ? <span class="tag ok">New</span>
    : <span class="tag warn">The clocks change on this day</span>
}
