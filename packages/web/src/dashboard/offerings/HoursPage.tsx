import { offeringsGet, offeringsGetHours, offeringsSetHours } from "@trailbook/core/offering/offeringOperations"
import { invalid } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { zoneCity } from "../../text/Format.ts"
import { withFlash } from "../frame/flashMessage.ts"
import { Button, Icon, Link } from "../kit/elements.tsx"
import { type Content, page } from "../kit/page.tsx"
import type { PageContext } from "../Page.ts"
import { FormErrorNote, parseFormErrors } from "../parts/FormErrors.tsx"
import { applyButton, hoursIn, isWeekly, type Row, rowsIn, toRows } from "./hoursForm.ts"
import { daysFrom } from "./HoursSummary.tsx"

/**
 * Weekly hours of an appointment or a rental. Every button submits the complete form, so rows can be added and removed
 * without JavaScript. Only Save stores the hours.
 */
export const hours = page("/offerings/:id/hours", {
  *view(asked) {
    const offering = yield* offeringWithHours(asked)
    const { data } = yield* asked.run(offeringsGetHours, { id: offering.id })
    const rows = asked.refused === undefined ? toRows(data) : rowsIn(asked.refused.form)
    return editor(asked, offering, rows)
  },
  *submit(asked) {
    const { form, run, shown: { format } } = asked
    const offering = yield* offeringWithHours(asked)
    const rows = rowsIn(form)
    const next = applyButton(rows, form["do"])
    if (next !== undefined) return editor(asked, offering, next)
    const hours = yield* hoursIn(rows, format.weekdays("long"))
    const { data } = yield* run(offeringsGetHours, { id: offering.id })
    yield* run(offeringsSetHours, {
      id: offering.id,
      hours: [...hours, ...data.filter((entry) => !isWeekly(entry))]
    })
    return withFlash(`/dashboard/offerings/${offering.id}`, "saved")
  }
})

const offeringWithHours = ({ param, run }: PageContext) =>
  Effect.filterOrFail(
    run(offeringsGet, { id: param("id") }),
    ({ kind }) => kind !== "class",
    () => invalid("This activity uses scheduled departures, not weekly hours.")
  )

const editor = (
  { refused, shown }: PageContext,
  { id, name }: { readonly id: string; readonly name: string },
  rows: ReadonlyArray<Row>
): Content => {
  const { format, org, site } = shown
  const path = site.link(`/dashboard/offerings/${id}/hours`)
  const names = format.weekdays("long")
  return {
    title: "Weekly hours",
    lead: (
      <>
        <Link to={`/offerings/${id}`} dir="auto">{name}</Link>
        {` · times are local to ${zoneCity(org.timezone)}`}
      </>
    ),
    body: (
      <form class="stack" method="post" action={path}>
        {/* The Enter key presses the first button. */}
        <button class="sr" name="do" value="save" tabIndex={-1} aria-hidden="true">Save</button>
        <FormErrorNote of={parseFormErrors(refused, { hours: "Weekly hours" })} />
        <section class="card" id="hours" aria-label="Weekly hours">
          <ul class="rows">
            {daysFrom(format.weekBegins).map((weekday) => (
              <Day
                key={weekday}
                weekday={weekday}
                name={names[weekday] ?? ""}
                rows={rows.filter((row) => row.weekday === weekday)}
                path={path}
                icon={<Icon name="x" />}
              />
            ))}
          </ul>
        </section>
        <p class="soft small">
          An end of 12:00 AM means midnight at the end of that day. Bookings outside the new hours are kept.
        </p>
        <p class="acts">
          <button class="btn main" name="do" value="save">Save</button>
          <Button to={`/offerings/${id}`}>Cancel</Button>
        </p>
      </form>
    )
  }
}

const Day = (
  { icon, name, path, rows, weekday }: {
    readonly weekday: number
    readonly name: string
    readonly rows: ReadonlyArray<Row>
    readonly path: string
    readonly icon: preact.ComponentChildren
  }
) => {
  const to = `${path}#day-${weekday}`
  return (
    <li id={`day-${weekday}`} class="day">
      <b class="of">{name}</b>
      <div class="stack tight grow">
        {rows.length === 0 && <span class="soft">Closed</span>}
        {rows.map(({ from, to: until }, at) => (
          <div key={at} class="window">
            <TimeInput name={`from-${weekday}-${at}`} label={`${name} from`} value={from} />
            <span aria-hidden="true">–</span>
            <TimeInput name={`to-${weekday}-${at}`} label={`${name} until`} value={until} />
            <Change row={`remove-${weekday}-${at}`} to={to} label={`Remove ${name} hours ${at + 1}`} isPlain>
              {icon}
            </Change>
          </div>
        ))}
      </div>
      <div class="acts">
        <Change row={`add-${weekday}`} to={to} label={`Add hours on ${name}`}>Add hours</Change>
        {rows.length > 0 && (
          <Change row={`copy-${weekday}`} to={to} label={`Copy to all days: ${name}`} isPlain>Copy to all days</Change>
        )}
      </div>
    </li>
  )
}

/** Changes the rows without saving. */
const Change = ({ children, isPlain = false, label, row, to }: {
  readonly row: string
  readonly to: string
  readonly label: string
  readonly isPlain?: boolean
  readonly children: preact.ComponentChildren
}) => (
  <button
    class={isPlain ? "btn plain" : "btn"}
    name="do"
    value={row}
    formAction={to}
    formNoValidate
    aria-label={label}
  >
    {children}
  </button>
)

const TimeInput = (
  { label, name, value }: { readonly name: string; readonly label: string; readonly value: string }
) => (
  <input
    class="input"
    type="time"
    name={name}
    aria-label={label}
    value={value}
    // Hours set through the API can have seconds.
    step={value.split(":").length > 2 ? 1 : undefined}
  />
)
