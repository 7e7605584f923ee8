import { notFound } from "@trailbook/core"
import { automationsList, automationsUpdate, type AutomationView, autonomyLevels } from "@trailbook/core/automation"
import { savedRepliesList } from "@trailbook/core/conversation"
import { toStoredValue } from "@trailbook/core/forecast"
import { offeringsList } from "@trailbook/core/offering"
import { getUnits } from "@trailbook/core/org"
import type { Form } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import { Card, Field, FormButtons, Link, Select } from "../kit/elements.tsx"
import { page, type PageContext, redirectTo } from "../kit/page.tsx"
import { FormErrorNote, type FormErrors, toFieldError, toGeneralError } from "../parts/FormErrors.tsx"
import {
  automationLabels,
  autonomyLevelLabels,
  fillAutomationFields,
  formatLimit,
  isObject,
  type LimitField,
  makeLimitFields,
  parseNumberField
} from "./automationFields.ts"

type Settings = AutomationView["settings"]

/** The settings page for one automation. */
export const automationPage = page("/automations/:automation", {
  access: "admin",
  *view(context) {
    const { org, rejection, run } = context
    const { automation, dial, settings } = yield* loadAutomation(context)
    const { data: offerings } = yield* run(offeringsList, { limit: 200 })
    const { data: replies } = yield* run(savedRepliesList, {})
    const offering = offerings.find(({ id }) => id === context.query("offering"))
    if (context.query("offering") !== undefined && offering === undefined) return yield* notFound("offering", "here")
    const labels = automationLabels[automation]
    const limits = makeLimitFields(getUnits(org))
    const values = rejection?.form ?? toFieldValues(automation, settings, offering?.id, limits)
    const errors = toFormErrors(rejection?.message, limits)
    const ownLimits = isObject(settings["offerings"]) ? settings["offerings"] : {}
    const fields = automation === "weather" ? limits : automation === "fill" ? fillAutomationFields : []
    return {
      title: offering === undefined ? labels.name : `${labels.name}: ${offering.name}`,
      lead: <Link to="/automations">Back to automations</Link>,
      body: (
        <div class="two">
          <form class="card pad stack" method="post" data-once="">
            <FormErrorNote of={errors} />
            {offering === undefined && (
              <fieldset class="stack tight">
                <legend class="label">Autonomy</legend>
                {autonomyLevels.map((name) => (
                  <label key={name} class="option">
                    <input type="radio" name="dial" value={name} checked={(values["dial"] ?? dial) === name} />
                    <span>
                      <b>{autonomyLevelLabels[name].name}</b> {autonomyLevelLabels[name].description}
                    </span>
                  </label>
                ))}
                <p class="hint">
                  If you choose an “Act” option, the ops agent can cancel and move bookings, issue refunds up to your
                  limit, and message guests without your approval.
                </p>
              </fieldset>
            )}
            {fields.length > 0 && (
              <fieldset class="stack tight">
                <legend class="label">{automation === "weather" ? "Limits" : "Conditions"}</legend>
                {automation === "weather" && (
                  <p class="hint">
                    {offering === undefined
                      ? "These limits apply to all activities. Leave a field empty for no limit."
                      : "Leave a field empty to use the limit for all activities. Enter “none” for no limit."}
                  </p>
                )}
                <div class="fields">
                  {fields.map(({ isWhole, label, max, min, name, unit }) => (
                    <Field
                      key={name}
                      name={name}
                      label={label}
                      optional={unit}
                      value={values[name]}
                      error={errors.of(name)}
                      input={offering !== undefined
                        ? { type: "text", inputMode: "decimal", maxLength: 20 }
                        : { type: "number", min, max, step: isWhole === true ? 1 : "any" }}
                    />
                  ))}
                </div>
              </fieldset>
            )}
            {automation === "weather" && (
              <div class="fields">
                <Select
                  name="thunder"
                  label="Thunderstorms"
                  value={values["thunder"]}
                  options={[
                    ["", offering === undefined ? "No limit" : "Same as all activities"],
                    ["true", "No trips in thunderstorms"],
                    ...offering === undefined ? [] : [["none", "No limit"] as const]
                  ]}
                />
                <Select
                  name="action"
                  label="Appointments and rentals"
                  value={values["action"]}
                  options={[
                    ["", offering === undefined ? "Cancel (default)" : "Same as all activities"],
                    ["cancel", "Cancel"],
                    ["move", "Move to the next day with fair weather, otherwise cancel"]
                  ]}
                />
              </div>
            )}
            {automation === "brief" && (
              <Tick name="see_you" label="Suggest a note to all of today’s guests" typed={values} />
            )}
            {automation === "reminders" && (
              <>
                <fieldset class="stack tight">
                  <legend class="label">Reminder times</legend>
                  <Tick name="before_24h" label="1 day before the trip" typed={values} />
                  <Tick name="before_2h" label="2 hours before the trip" typed={values} />
                  <Tick name={reviewField.name} label={reviewField.label} typed={values} />
                  {org.review_url === null && (
                    <p class="hint">
                      The last reminder requires a review link. <Link to="/settings">Add your review link</Link>
                    </p>
                  )}
                </fieldset>
                <Field
                  name={balanceField.name}
                  label={balanceField.label}
                  optional="days; leave empty for no reminder"
                  value={values[balanceField.name]}
                  error={errors.of(balanceField.name)}
                  input={{ type: "number", min: 1, max: 365, step: 1 }}
                />
                <Select
                  name="before_24h_reply_id"
                  label="Text for the reminder 1 day before the trip"
                  value={values["before_24h_reply_id"]}
                  options={[["", "Trailbook default"], ...replies.map(({ id, title }) => [id, title] as const)]}
                />
              </>
            )}
            <FormButtons button="Save" back="/automations" backLabel="Keep current settings" />
          </form>
          <aside class="stack">
            <section class="card pad stack tight" aria-labelledby="never">
              <h2 id="never">Safeguards</h2>
              <ul class="bullets">{labels.never.map((never) => <li key={never}>{never}</li>)}</ul>
            </section>
            {automation === "weather" && (
              <Card id="own" title="Limits by activity">
                <ul class="rows">
                  {offerings.map(({ id, name }) => (
                    <li key={id}>
                      <Link
                        class="grow"
                        to={`/automations/weather?offering=${id}`}
                        aria-current={id === offering?.id ? "page" : undefined}
                        dir="auto"
                      >
                        {name}
                      </Link>
                      {ownLimits[id] !== undefined && <span class="tag info">own limits</span>}
                    </li>
                  ))}
                </ul>
                {offering !== undefined && (
                  <p class="pad">
                    <Link to="/automations/weather">Limits for all activities</Link>
                  </p>
                )}
              </Card>
            )}
          </aside>
        </div>
      )
    }
  },
  *submit(context) {
    const { form, org, query, run } = context
    const { automation, settings } = yield* loadAutomation(context)
    const dial = autonomyLevels.find((name) => name === form["dial"])
    const offering = query("offering")
    const { data: offerings } = yield* run(offeringsList, { limit: 200 })
    const offeringIds = new Set(offerings.map(({ id }) => id))
    const newSettings = automation === "weather"
      ? parseWeatherSettings(form, settings, offering, offeringIds, makeLimitFields(getUnits(org)))
      : automation === "fill"
      ? Object.fromEntries(fillAutomationFields.map(({ name }) => [name, parseNumberField(form[name])]))
      : automation === "brief"
      ? { see_you: form["see_you"] === "true" }
      : {
        before_24h: form["before_24h"] === "true",
        before_2h: form["before_2h"] === "true",
        after_6h: form["after_6h"] === "true",
        balance_due_days: parseNumberField(form["balance_due_days"]),
        before_24h_reply_id: form["before_24h_reply_id"] || null
      }
    yield* run(automationsUpdate, { automation, settings: newSettings, dial })
    return redirectTo(offering === undefined ? "/automations" : "/automations/weather", "automationSet")
  }
})

const Tick = ({ label, name, typed }: { readonly name: string; readonly label: string; readonly typed: Form }) => (
  <label class="option">
    <input type="checkbox" name={name} value="true" checked={typed[name] === "true"} />
    {label}
  </label>
)

const loadAutomation = ({ param, run }: Pick<PageContext, "param" | "run">) =>
  Effect.flatMap(run(automationsList, {}), ({ data }) => {
    const one = data.find(({ automation }) => automation === param("automation"))
    return one === undefined ? notFound("automation", "here") : Effect.succeed(one)
  })

/** Converts settings to field values. */
const toFieldValues = (
  automation: AutomationView["automation"],
  settings: Settings,
  offering: string | undefined,
  limits: ReadonlyArray<LimitField>
): Form => {
  const storedValues = automation === "weather" ? readLimits(settings, offering) : settings
  return Object.fromEntries(
    Object.entries(storedValues).flatMap(([name, value]) => {
      if (value === null) return offering === undefined ? [] : [[name, "none"]]
      const field = typeof value === "number" ? limits.find((limit) => limit.name === name) : undefined
      if (field !== undefined && typeof value === "number") return [[name, formatLimit(field, value)]]
      return isScalar(value) ? [[name, String(value)]] : []
    })
  )
}

/** Returns the stored limits for all offerings, or for one offering. */
const readLimits = (settings: Settings, offering: string | undefined) => {
  const offeringLimits = settings["offerings"]
  const limits = offering === undefined ? settings["default"] : isObject(offeringLimits) ? offeringLimits[offering] : {}
  return isObject(limits) ? limits : {}
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value)

const balanceField = { name: "balance_due_days", label: "Remind guests of their balance before the trip" }

const reviewField = { name: "after_6h", label: "6 hours after the trip, with a review link" }

/** Returns errors by field. A refusal names the field by its path, such as `settings.default.max_wind_kph`. */
const toFormErrors = (text: string | undefined, limits: ReadonlyArray<LimitField>): FormErrors => {
  const [, path = "", detail = ""] = /^settings\.([^:]+): (.*)$/s.exec(text ?? "") ?? []
  const name = path.split(".").at(-1) ?? ""
  if (name === reviewField.name) return toGeneralError(`${reviewField.label}: ${detail}`)
  const limit = limits.find((field) => field.name === name)
  const namedField = limit ?? [...fillAutomationFields, balanceField].find((field) => field.name === name)
  if (namedField === undefined) return toGeneralError(text)
  // Rewrite the message, because the refusal contains metric bounds.
  const problem = limit?.scale !== undefined && limit.scale.decimals !== null
    ? `must be a number from ${limit.min} to ${limit.max} ${limit.unit}`
    : detail
  return toFieldError(name, `${namedField.label}: ${problem}`)
}

/**
 * Returns the submitted limits for all offerings, or for one offering. Stored limits for other offerings are kept,
 * unless the offering has been deleted.
 */
const parseWeatherSettings = (
  form: Form,
  settings: Settings,
  offering: string | undefined,
  offeringIds: ReadonlySet<string>,
  fields: ReadonlyArray<LimitField>
) => {
  const storedLimits = readLimits(settings, offering)
  const isNone = (name: string) => offering !== undefined && form[name]?.trim().toLowerCase() === "none"
  const limits = Object.fromEntries([
    ...fields.flatMap(({ name, scale }) => {
      const input = isNone(name) ? null : parseNumberField(form[name])
      const storedLimit = storedLimits[name]
      const value = typeof input === "number" && scale !== undefined
        ? toStoredValue(scale, input, typeof storedLimit === "number" ? storedLimit : undefined)
        : input
      return value === null && !isNone(name) ? [] : [[name, value]]
    }),
    ...isNone("thunder") ? [["thunder", null]] : form["thunder"] === "true" ? [["thunder", true]] : [],
    ...form["action"] === "cancel" || form["action"] === "move" ? [["action", form["action"]]] : []
  ])
  if (offering === undefined) return { default: limits }
  const storedOfferings = isObject(settings["offerings"]) ? settings["offerings"] : {}
  const otherEntries = Object.entries(storedOfferings).filter(([id]) => id !== offering && offeringIds.has(id))
  const ownEntries = Object.keys(limits).length === 0 ? [] : [[offering, limits]]
  return { offerings: Object.fromEntries([...otherEntries, ...ownEntries]) }
}
