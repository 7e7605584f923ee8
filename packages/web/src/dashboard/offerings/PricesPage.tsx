/** An offering's prices: rates, extras, and minimum booking. A sample party shows the resulting price. */
import { invalid, type Refusal } from "@trailbook/core"
import { offeringsGet, offeringsUpdate, type OfferingView } from "@trailbook/core/offering"
import {
  computeBookableQuantity,
  Deposit,
  Extra,
  type Extras,
  type Fee,
  findPricingError,
  makePriceTerms,
  type Party,
  Pricing,
  type Quote,
  quote,
  Rate,
  type RequestedItems,
  selectItems
} from "@trailbook/core/pricing"
import type { Form as Typed } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { ComponentChildren } from "preact"
import { PriceLines } from "../bookings/ChangePage.tsx"
import { Card, Field, Link } from "../kit/elements.tsx"
import { type DerivedField, FieldControl } from "../kit/fields.tsx"
import { Form, makeOperationForm } from "../kit/operationForm.tsx"
import { page, type PageContent, type PageContext, redirectTo, usePage } from "../kit/page.tsx"
import {
  applyRowButton,
  decodeRows,
  DefaultButton,
  makeRowForms,
  parseTypedRows,
  readRows,
  RowButton,
  RowListCard,
  type RowListDefinition,
  toFormValues
} from "../kit/rows.tsx"
import { parseFormErrors } from "../parts/FormErrors.tsx"
import { formatAmountInput } from "../parts/numberFields.ts"

/** Returns the form lists for rates and extras. */
const makeRowLists = (
  { kind, price_cents }: OfferingView,
  currency: string
): { readonly [Of in "rates" | "extras"]: RowListDefinition } => ({
  rates: {
    list: "pricing.rates",
    item: Rate,
    noun: "Rate",
    max: 20,
    blank: { places: "1", price_cents: formatAmountInput(price_cents, currency) },
    fields: (at, rows) => {
      const otherRates = rows.flatMap(({ id = "", name = "" }, nth) =>
        nth === at || id === "" ? [] : [[id, name] as const]
      )
      return {
        name: "Name",
        price_cents: "Price",
        places: "Spots",
        max: { label: "Maximum", optional: "per booking" },
        ...(at === 0 || otherRates.length === 0
          ? {}
          : {
            needs_any_of: {
              label: "Requires one of these rates (no requirement if none are checked)",
              options: otherRates
            }
          })
      }
    }
  },
  extras: {
    list: "pricing.extras",
    item: Extra,
    noun: "Extra",
    max: 20,
    blank: { per: "place" },
    fields: () => ({
      name: "Name",
      price_cents: "Price",
      per: { label: "Sold", options: [["place", "Per spot"], ["booking", "Per booking"]] },
      max: { label: "Maximum", optional: "per booking" },
      required: {
        label: "Included in every booking",
        hint: "One is added per spot or per booking, depending on how the extra is sold."
      },
      ...(kind === "rental" ? { each_period: "Charged for each period" } : {})
    })
  }
})

const minimumForm = makeOperationForm({ name: "pricing", input: Pricing }, {
  min_places: { label: "Minimum booking (spots)", name: "pricing.min_places", optional: "leave empty for 1 spot" }
}, { omitsEmpty: true })

const depositName = "pricing.deposit.amount"

/** Returns the deposit form. The typed unit determines whether the deposit is a percentage or an amount. */
const depositForm = (values: Typed, currency: string) =>
  makeOperationForm({ name: "deposit", input: Deposit }, {
    [(values["pricing.deposit.per"] ?? "") === "" ? "percent_bps" : "cents"]: {
      label: "Deposit",
      name: depositName,
      optional: "leave empty for the full price",
      hint: "Guests who book online pay the deposit to confirm the booking."
    },
    per: {
      label: "Charged",
      name: "pricing.deposit.per",
      isRequired: false,
      options: [
        ["", "% of the total"],
        ["place", `${currency.toUpperCase()} per spot`],
        ["booking", `${currency.toUpperCase()} per booking`]
      ]
    },
    balance_due_hours: {
      label: "Full price due (hours before the start)",
      name: "pricing.deposit.balance_due_hours",
      isRequired: false
    }
  }, { omitsEmpty: true })

const readDeposit = (context: PageContext) =>
  (context.form[depositName] ?? "").trim() === ""
    ? Effect.succeed({})
    : Effect.map(depositForm(context.form, context.org.currency).read(context), (deposit) => ({ deposit }))

const PricingInput = Schema.Struct({ pricing: Pricing })

export const pricesPage = page("/offerings/:id/prices", {
  *view(context) {
    const { id, org: { currency }, rejection, run } = context
    const offering = yield* run(offeringsGet, { id })
    const { pricing } = offering
    const { extras, rates } = makeRowLists(offering, currency)
    if (rejection !== undefined) return yield* renderContent(context, offering, rejection.form)
    const deposit = { balance_due_hours: 168, per: "", ...pricing?.deposit }
    return yield* renderContent(context, offering, {
      ...toFormValues(rates, pricing?.rates ?? [], currency),
      ...toFormValues(extras, pricing?.extras ?? [], currency),
      "pricing.min_places": String(pricing?.min_places ?? ""),
      ...Object.assign(
        {},
        ...depositForm({ "pricing.deposit.per": deposit.per }, currency).fields.map((field) =>
          field.kind.format(field, Object.entries(deposit).find(([name]) => name === field.path)?.[1], currency)
        )
      )
    })
  },
  *submit(context) {
    const { form, id, org, run } = context
    const offering = yield* run(offeringsGet, { id })
    const editedForm = applyRowButton(form, Object.values(makeRowLists(offering, org.currency)))
    if (editedForm !== undefined || form["do"] === "preview") {
      return yield* renderContent(context, offering, editedForm ?? form)
    }
    yield* run(offeringsUpdate, { id, pricing: yield* readPricing(context, offering) })
    return redirectTo(`/offerings/${id}`, "saved")
  }
})

/** Reads the typed prices. Without rates, the offering has a single price. */
const readPricing = (context: PageContext, offering: OfferingView) =>
  Effect.gen(function*() {
    const lists = makeRowLists(offering, context.org.currency)
    const rates = yield* readRows(lists.rates, context)
    const extras = yield* readRows(lists.extras, context)
    if (rates.length === 0) {
      return extras.length === 0
        ? null
        : yield* invalid("Extras require at least one rate. Add a rate, or remove the extras.")
    }
    const input = { ...yield* minimumForm.read(context), ...yield* readDeposit(context), rates, extras }
    return (yield* decodeRows(PricingInput, { pricing: input })).pricing
  })

const renderContent = (context: PageContext, offering: OfferingView, values: Typed) =>
  Effect.gen(function*() {
    const { org } = context
    const { id, name } = offering
    const { extras, rates } = makeRowLists(offering, org.currency)
    const draft = yield* Effect.either(readPricing({ ...context, form: values }, offering))
    const sample = parseSample(values, Either.getOrNull(draft))
    const formValues = { ...values, ...formatSample(sample) }
    const deposit = depositForm(formValues, org.currency).fields
    const fields = [
      ...[rates, extras].flatMap((rowList) =>
        makeRowForms(rowList, parseTypedRows(formValues, rowList)).flatMap(({ fields }) => fields)
      ),
      ...minimumForm.fields,
      ...deposit
    ]
    const price = Either.flatMap(draft, (pricing) => quoteUnsavedPrices(offering, pricing, org.fees, sample))
    return {
      title: "Prices",
      lead: <Link to={`/offerings/${id}`} dir="auto">{name}</Link>,
      script: "prices",
      body: (
        <Form
          of={{ ...minimumForm, fields }}
          class="stack"
          own={formValues}
          button="Save"
          back={`/offerings/${id}`}
          backLabel="Cancel"
        >
          {(render, state) => (
            <>
              <DefaultButton />
              <div class="two">
                <div class="stack">
                  <RowListCard
                    of={rates}
                    title="Rates"
                    empty="No rates. The activity has a single price. Add a rate for each type of guest."
                    state={state}
                  >
                    <p class="pad soft small">
                      {`Prices are in ${org.currency.toUpperCase()}. Spots is the number of seats per unit: 8 for a `}
                      private raft, 0 for an infant. The first rate is the default.
                    </p>
                  </RowListCard>
                  <RowListCard
                    of={extras}
                    title="Extras"
                    empty="No extras. Offer items that guests can add to a booking, such as a wetsuit or photos."
                    state={state}
                  />
                  <Card id="booking" title="Booking" pad="stack">
                    {render("min_places")}
                    <div class="fields">
                      {deposit.map((field) => (
                        <FieldControl
                          key={field.name}
                          field={field}
                          typed={state.typedValues}
                          error={state.error(field.name)}
                        />
                      ))}
                    </div>
                    <p class="soft small">
                      Existing bookings keep their price. <Link to="/settings/fees">Fees and taxes</Link>{" "}
                      are added to all activities.
                    </p>
                  </Card>
                </div>
                <UnsavedPricePreview title="Sample party" price={price} fields={fields}>
                  {Either.isRight(draft) && draft.right !== null && (
                    <div class="pad fields">
                      {[rates, extras].flatMap((rowList) =>
                        parseTypedRows(formValues, rowList).map(({ id = "", name }) =>
                          id !== "" && (
                            <Field
                              key={`${rowList.list} ${id}`}
                              name={sampleName(rowList.list, id)}
                              label={name ?? id}
                              value={state.typedValues[sampleName(rowList.list, id)]}
                              input={{ inputMode: "numeric", maxLength: 5, autocomplete: "off", required: false }}
                            />
                          )
                        )
                      )}
                    </div>
                  )}
                </UnsavedPricePreview>
              </div>
            </>
          )}
        </Form>
      )
    } satisfies PageContent
  })

const sampleName = (list: string, id: string) => `sample.${list}.${id}`

/** Returns the typed sample party, or a small default party. */
const parseSample = (values: Typed, pricing: Pricing | null): { readonly party: Party; readonly extras: Extras } => {
  const readCounts = (list: string) =>
    parseTypedRows(values, { list, noun: "" }).flatMap(({ id = "" }) => {
      const quantity = Number(values[sampleName(list, id)] ?? "")
      return Number.isInteger(quantity) && quantity > 0 && quantity <= 10_000 ? [[id, quantity] as const] : []
    })
  const party = readCounts("pricing.rates").map(([rate_id, quantity]) => ({ rate_id, quantity }))
  const extras = readCounts("pricing.extras").map(([extra_id, quantity]) => ({ extra_id, quantity }))
  const [firstRate] = pricing?.rates ?? []
  return firstRate === undefined || party.length > 0 || extras.length > 0
    ? { party, extras }
    : { party: [{ rate_id: firstRate.id, quantity: computeBookableQuantity(pricing, 2) / firstRate.places }], extras }
}

const formatSample = ({ extras, party }: ReturnType<typeof parseSample>): Typed =>
  Object.fromEntries([
    ...party.map(({ quantity, rate_id }) => [sampleName("pricing.rates", rate_id), String(quantity)]),
    ...extras.map(({ extra_id, quantity }) => [sampleName("pricing.extras", extra_id), String(quantity)])
  ])

/** Computes the price that `bookings.quote` will return once the typed prices and fees are saved. */
export const quoteUnsavedPrices = (
  { id, kind, price_cents: priceCents }: Pick<OfferingView, "id" | "kind" | "price_cents">,
  pricing: Pricing | null,
  fees: ReadonlyArray<Fee>,
  sample: RequestedItems
): Either.Either<Quote, Refusal<"invalid_request" | "party_invalid">> =>
  Either.gen(function*() {
    const problem = pricing === null ? undefined : findPricingError(pricing)
    if (problem !== undefined) return yield* Either.left(invalid(problem))
    const terms = makePriceTerms({ id, kind, priceCents, pricing }, fees)
    const selection = yield* selectItems(terms, pricing === null ? { quantity: 2 } : sample)
    return yield* quote(terms, selection, { periods: 1, adjustments: [], onlineHoursAhead: Infinity })
  })

/**
 * The price for a sample party, or the error that prevents it. A script updates the price as the staff member types.
 */
export const UnsavedPricePreview = ({ children, fields, price, title }: {
  readonly title: string
  readonly price: Either.Either<Quote, Refusal>
  /** The fields whose labels appear in error messages. */
  readonly fields: ReadonlyArray<DerivedField>
  /** The sample party. */
  readonly children?: ComponentChildren
}) => {
  const { format } = usePage()
  return (
    <Card id="preview" title={title}>
      {children}
      <output id="preview-price">
        {Either.match(price, {
          onLeft: ({ message }) => {
            const labels = Object.fromEntries(fields.map(({ label, name }) => [name, label]))
            const errors = parseFormErrors({ form: {}, message }, { party: "Party", ...labels })
            return <p class="pad note">{errors.fields[0]?.[1] ?? errors.generalError}</p>
          },
          onRight: ({ due_now_cents, included_fees_cents, lines, total_cents }) => (
            <>
              <PriceLines lines={lines} />
              <p class="pad">
                <b class="num">{`Total ${format.money(total_cents)}`}</b>
                {due_now_cents < total_cents && `, deposit ${format.money(due_now_cents)}`}
                {included_fees_cents > 0 && `. Includes ${format.money(included_fees_cents)} in fees and taxes.`}
              </p>
            </>
          )
        })}
      </output>
      <p class="pad">
        <RowButton value="preview" to="preview">Update preview</RowButton>
      </p>
    </Card>
  )
}
