/** The org's fees and taxes. A sample booking shows the resulting price. */
import { invalid } from "@trailbook/core"
import { offeringsList, type OfferingView } from "@trailbook/core/offering"
import { orgUpdate } from "@trailbook/core/org"
import { computeBookableQuantity, Fee, findFeesError, maxFees } from "@trailbook/core/pricing"
import * as Field from "@trailbook/core/wire/Field"
import type { Form as Typed } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { FieldChoices } from "../kit/fields.tsx"
import { Form } from "../kit/operationForm.tsx"
import { page, type PageContent, type PageContext, redirectTo } from "../kit/page.tsx"
import {
  applyRowButton,
  decodeRows,
  DefaultButton,
  makeRowForms,
  parseTypedRows,
  readRows,
  RowListCard,
  type RowListDefinition,
  toFormValues
} from "../kit/rows.tsx"
import { quoteUnsavedPrices, UnsavedPricePreview } from "../offerings/PricesPage.tsx"

const makeFeeList = (offerings: ReadonlyArray<OfferingView>, currency: string): RowListDefinition => ({
  list: "fees",
  item: Fee,
  noun: "Fee",
  max: maxFees,
  blank: { per: "order_value", on: "all" },
  fields: (at, rows) => {
    const row = rows[at] ?? {}
    const isPercentage = row["per"] === "order_value"
    const deletedIds = Object.keys(row).flatMap((key) => key.startsWith("offering_ids_") ? [key.slice(13)] : [])
      .filter((id) => offerings.every((offering) => offering.id !== id))
    const options: FieldChoices = [
      ...offerings.map(({ id, name }) => [id, name] as const),
      // List deleted activities, too. Otherwise, saving would extend a deleted activity's fee to all activities.
      ...deletedIds.map((id) => [id, "Deleted activity"] as const)
    ]
    return {
      name: "Name",
      [isPercentage ? "percent_bps" : "cents"]: { label: "Amount", name: "amount", isRequired: true },
      per: {
        label: "Charged",
        options: [
          ["order_value", "% of the price"],
          ["place", `${currency.toUpperCase()} per spot`],
          ["booking", `${currency.toUpperCase()} per booking`]
        ]
      },
      ...(isPercentage
        ? {
          on: {
            label: "Percentage of",
            // A row that used to be a fixed amount has no value for this field yet.
            isRequired: false,
            options: [["all", "Everything"], ["rates", "Rates"], ["extras", "Extras"]]
          },
          compound: { label: "Also apply to the fees above", hint: "For example, a tax on the booking fee." }
        }
        : {}),
      tax: { label: "Tax", hint: "Owed to the government and reported separately." },
      included: { label: "Included in the prices", hint: "Shown but not added to the total." },
      ...(options.length === 0 ? {} : {
        offering_ids: { label: "Applies to (all activities if none are checked)", summary: "Activities", options }
      })
    }
  }
})

const FeesInput = Schema.Struct({ fees: Field.list(Fee, maxFees) })

const loadSample = ({ org, run }: PageContext) =>
  Effect.map(
    run(offeringsList, { limit: 500 }),
    ({ data }) => ({ of: makeFeeList(data, org.currency), sample: data[0] })
  )

export const feesPage = page("/settings/fees", {
  access: "admin",
  *view(context) {
    const { org, rejection } = context
    const { of, sample } = yield* loadSample(context)
    const items = org.fees.map((fee) => ({ ...fee, offering_ids: fee.offering_ids ?? [] }))
    return yield* renderContent(context, of, sample, rejection?.form ?? toFormValues(of, items, org.currency))
  },
  *submit(context) {
    const { form, run } = context
    const { of, sample } = yield* loadSample(context)
    const editedForm = applyRowButton(form, [of])
    if (editedForm !== undefined || form["do"] === "preview") {
      return yield* renderContent(context, of, sample, editedForm ?? form)
    }
    yield* run(orgUpdate, { fees: yield* readFees(context, of) })
    return redirectTo("/settings", "saved")
  }
})

const readFees = (context: PageContext, feeList: RowListDefinition) =>
  Effect.gen(function*() {
    const { fees } = yield* decodeRows(FeesInput, { fees: yield* readRows(feeList, context) })
    // Whether a fee is turned off by an empty list of offerings, which only the API can set.
    const isDisabled = (id: string) => context.org.fees.some((fee) => fee.id === id && fee.offering_ids?.length === 0)
    return fees.map((fee) => ({
      ...fee,
      offering_ids: fee.offering_ids?.length === 0 && !isDisabled(fee.id) ? null : fee.offering_ids ?? null
    }))
  })

const renderContent = (
  context: PageContext,
  feeList: RowListDefinition,
  sample: OfferingView | undefined,
  formValues: Typed
) =>
  Effect.gen(function*() {
    const draft = yield* Effect.either(readFees({ ...context, form: formValues }, feeList))
    const fields = makeRowForms(feeList, parseTypedRows(formValues, feeList)).flatMap(({ fields }) => fields)
    return {
      title: "Fees and taxes",
      lead: "Applied to all new bookings in this order. Existing bookings keep their fees and taxes.",
      script: "prices",
      body: (
        <Form
          of={{ fields, group: undefined, hasKey: false, read: () => Effect.succeed({}) }}
          class="stack"
          own={formValues}
          button="Save"
          back="/settings"
          backLabel="Cancel"
        >
          {(_, state) => (
            <>
              <DefaultButton />
              <div class="two">
                <RowListCard
                  of={feeList}
                  title="Fees and taxes"
                  empty="No fees. Add a tax, a park fee, or a booking fee."
                  state={state}
                />
                {sample !== undefined && (
                  <UnsavedPricePreview
                    title={`Example: ${sample.name}`}
                    fields={fields}
                    price={Either.flatMap(draft, (fees) => {
                      const problem = findFeesError(fees)
                      const { pricing } = sample
                      const party = { quantity: computeBookableQuantity(pricing, 2) }
                      return problem === undefined
                        ? quoteUnsavedPrices(sample, pricing, fees, party)
                        : Either.left(invalid(problem))
                    })}
                  />
                )}
              </div>
            </>
          )}
        </Form>
      )
    } satisfies PageContent
  })
