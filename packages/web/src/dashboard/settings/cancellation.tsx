/** The pages for cancellation policies. An offering's policy overrides the org's. */
import { invalid } from "@trailbook/core"
import { offeringsGet, offeringsUpdate } from "@trailbook/core/offering"
import { orgUpdate } from "@trailbook/core/org"
import type { CancellationPolicy } from "@trailbook/core/pricing"
import * as Effect from "effect/Effect"
import { ErrorNote, Field, FormButtons, TextAreaField } from "../kit/elements.tsx"
import { type DashboardPath, getPageUrl, page, type PageContext, redirectTo, usePage } from "../kit/page.tsx"
import { formatAmountInput, parseAmountField, readInteger, readOptionalNumber } from "../parts/numberFields.ts"

const access = "admin"
const maxSteps = 4
const stepIndexes = Array.from({ length: maxSteps }, (_, nth) => nth)

export const orgCancellationPolicyPage = page("/settings/cancellation", {
  access,
  view: ({ org }) => ({
    title: "Cancellation policy",
    lead:
      "The amount you keep when guests cancel. This policy applies to new bookings. Existing bookings keep their policy.",
    body: (
      <PolicyForm
        policy={org.cancellation_policy}
        emptyHint="Without steps, guests get a full refund before the start and no refund after the start."
        back="/settings"
      />
    )
  }),
  *submit(context) {
    yield* context.run(orgUpdate, { cancellation_policy: yield* readPolicy(context) })
    return redirectTo("/settings", "saved")
  }
})

export const offeringCancellationPolicyPage = page("/offerings/:id/cancellation", {
  access,
  *view({ id, run }) {
    const { cancellation_policy: policy, name } = yield* run(offeringsGet, { id })
    return {
      title: "Cancellation policy",
      lead: <span dir="auto">{name}</span>,
      body: (
        <PolicyForm
          policy={policy}
          emptyHint="Without steps, your business's policy applies."
          back={`/offerings/${id}`}
        />
      )
    }
  },
  *submit(context) {
    const { id, run } = context
    yield* run(offeringsUpdate, { id, cancellation_policy: yield* readPolicy(context) })
    return redirectTo(`/offerings/${id}`, "saved")
  }
})

const PolicyForm = (
  { back, emptyHint, policy }: {
    readonly policy: CancellationPolicy | null
    readonly emptyHint: string
    readonly back: DashboardPath
  }
) => {
  const context = usePage()
  const { org: { currency }, rejection } = context
  const values = rejection?.form ?? formatPolicy(policy, currency)
  return (
    <form class="card pad stack form" method="post" action={getPageUrl(context)} data-once="">
      {rejection !== undefined && <ErrorNote>{rejection.message}</ErrorNote>}
      <p>
        The first matching step applies. For example, keep 0% until 168 hours before the start, then 25% until 48 hours
        before the start. After the last step, you keep everything. {emptyHint}
      </p>
      {stepIndexes.map((nth) => (
        <fieldset key={nth}>
          <legend class="label">{`Step ${nth + 1}`}</legend>
          <div class="fields">
            <Field
              name={`hours_${nth}`}
              label="Until (hours before the start)"
              value={values[`hours_${nth}`]}
              input={{ inputMode: "numeric", maxLength: 4 }}
            />
            <Field
              name={`percent_${nth}`}
              label="Keep (% of the total)"
              value={values[`percent_${nth}`]}
              input={{ inputMode: "decimal", maxLength: 6 }}
            />
            <Field
              name={`place_${nth}`}
              label={`Or keep (${currency.toUpperCase()} per spot)`}
              value={values[`place_${nth}`]}
              input={{ inputMode: "decimal", maxLength: 30 }}
            />
          </div>
        </fieldset>
      ))}
      <TextAreaField
        name="text"
        label="Text for guests"
        optional="optional"
        hint="Shown on each booking's page."
        value={values["text"]}
        rows={3}
        maxLength={1000}
      />
      <FormButtons button="Save" back={back} backLabel="Cancel" />
    </form>
  )
}

const formatPolicy = (policy: CancellationPolicy | null, currency: string): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ["text", policy?.text ?? ""],
    ...(policy?.steps ?? []).flatMap(({ keep_bps, keep_cents_per_place, until_hours }, nth) => [
      [`hours_${nth}`, String(until_hours)],
      [`percent_${nth}`, keep_bps === undefined ? "" : String(keep_bps / 100)],
      [`place_${nth}`, keep_cents_per_place === undefined ? "" : formatAmountInput(keep_cents_per_place, currency)]
    ])
  ])

/** Reads the steps that are filled in. A form without steps means no policy. */
const readPolicy = ({ form, org }: PageContext) =>
  Effect.gen(function*() {
    const isFilled = (name: string) => (form[name] ?? "").trim() !== ""
    const filledSteps = stepIndexes.filter((nth) => [`hours_${nth}`, `percent_${nth}`, `place_${nth}`].some(isFilled))
    const policySteps = yield* Effect.forEach(filledSteps, (nth) =>
      Effect.gen(function*() {
        const until_hours = yield* readInteger(form, `hours_${nth}`)
        const percent = yield* readOptionalNumber(form, `percent_${nth}`)
        if (isFilled(`place_${nth}`) === (percent !== null)) {
          return yield* invalid(`Step ${nth + 1}: enter either a percentage or an amount per spot.`)
        }
        return percent === null
          ? { until_hours, keep_cents_per_place: yield* parseAmountField(form, `place_${nth}`, org.currency) }
          : { until_hours, keep_bps: Math.round(percent * 100) }
      }))
    const text = (form["text"] ?? "").trim()
    return policySteps.length === 0 ? null : { steps: policySteps, text }
  })
