/**
 * The pages for discount codes: the list with uses and revenue, and the forms to create, change, stop, and delete a
 * code.
 */
import { invalid, notFound } from "@trailbook/core"
import {
  discountsCreate,
  discountsDelete,
  discountsList,
  discountsUpdate,
  type DiscountWithUsesView
} from "@trailbook/core/offering"
import * as Effect from "effect/Effect"
import { ignoreNotFound } from "../../operationCaller.ts"
import type { Format } from "../../text/Format.ts"
import { ActionButton, Button, Checkbox, Field, FieldGroup, Link } from "../kit/elements.tsx"
import { listPage } from "../kit/list.tsx"
import { formPage, type FormProps } from "../kit/operationForm.tsx"
import { confirmPage, page, type PageContext, redirectTo } from "../kit/page.tsx"
import { formatAmountInput, parseAmountField } from "../parts/numberFields.ts"
import { loadOfferingNames } from "./offeringTexts.tsx"

const access = "admin"

const savedPath = redirectTo("/discounts", "discountSaved")

export const discountsPage = listPage("/discounts", discountsList, {
  access,
  view: ({ format }, { rows }) => ({
    title: "Discount codes",
    lead: "Guests enter a code when they book.",
    actions: (
      <>
        <Button to="/offerings">Activities</Button>
        <Button icon="plus" look="main" to="/discounts/new">Create code</Button>
      </>
    ),
    empty: "No discount codes yet. Create one for a partner or a slow season.",
    rows: (
      <ul class="rows">
        {rows.map((discount) => {
          const { active, code, id, max_uses, revenue_cents, uses } = discount
          return (
            <li key={id}>
              <div class="grow">
                <b>{code}</b> {active ? null : <span class="tag">Inactive</span>}
                <p class="soft small">{`${amountText(format, discount)} · ${datesText(format, discount)}`}</p>
                <p class="soft small">
                  {`${usesText(uses, max_uses)} · ${format.money(revenue_cents)} in confirmed bookings`}
                </p>
              </div>
              <div class="acts">
                <Button to={`/discounts/${id}`} aria-label={`Edit: ${code}`}>Edit</Button>
                {active
                  ? (
                    <ActionButton to={`/discounts/${id}/deactivate`} aria-label={`Deactivate: ${code}`}>
                      Deactivate
                    </ActionButton>
                  )
                  : (
                    <ActionButton to={`/discounts/${id}/activate`} aria-label={`Activate: ${code}`}>
                      Activate
                    </ActionButton>
                  )}
                <Button look="bad" to={`/discounts/${id}/delete`} aria-label={`Delete: ${code}`}>Delete</Button>
              </div>
            </li>
          )
        })}
      </ul>
    )
  })
})

const amountText = (format: Format, { cents, percent_bps }: DiscountWithUsesView): string =>
  cents === null ? `${(percent_bps ?? 0) / 100}% off` : `${format.money(cents)} off`

const usesText = (uses: number, max: number | null): string =>
  max === null ? `${uses} ${uses === 1 ? "use" : "uses"}` : `${uses} of ${max} uses`

const datesText = (
  format: Format,
  { book_from, book_until, start_from, start_until }: DiscountWithUsesView
): string => {
  const ranges = [["bookings", book_from, book_until], ["trips", start_from, start_until]] as const
  const texts = ranges.flatMap(([name, from, until]) =>
    from === null && until === null
      ? []
      : [
        [
          name,
          from === null ? "" : `from ${format.shortDate(from)}`,
          until === null ? "" : `until ${format.shortDate(until)}`
        ]
          .filter((part) => part !== "").join(" ")
      ]
  )
  return texts.length === 0 ? "any date" : texts.join(", ")
}

const fields = {
  code: { label: "Code", hint: "Letters, digits, hyphens, and underscores. Not case-sensitive." },
  percent_bps: { label: "Percent off", name: "percent", isOwn: true },
  cents: { label: "Amount off", name: "amount", isOwn: true },
  offering_ids: { label: "Activities", isOwn: true },
  book_from: { label: "Book from", optional: "leave empty for any date" },
  book_until: { label: "Book until", optional: "leave empty for any date" },
  start_from: { label: "Trips from", optional: "leave empty for any date" },
  start_until: { label: "Trips until", optional: "leave empty for any date" },
  max_uses: { label: "Maximum uses", optional: "leave empty for no limit" },
  active: "Active",
  returns_on_cancel: {
    label: "Canceled bookings do not count as uses",
    hint: "Expired holds never count as uses."
  }
} as const

const renderFields =
  (activities: ReadonlyArray<readonly [id: string, name: string]>): NonNullable<FormProps["children"]> =>
  (fields, { error, typedValues }) => (
    <>
      {fields("code")}
      <div class="fields">
        <Field
          name="percent"
          label="Percent off"
          optional="or an amount"
          hint="Enter 0 to track a partner's referrals without giving a discount."
          value={typedValues["percent"]}
          error={error("percent")}
          input={{ inputMode: "decimal", maxLength: 6, autocomplete: "off" }}
        />
        <Field
          name="amount"
          label="Amount off"
          optional="or a percentage"
          value={typedValues["amount"]}
          error={error("amount")}
          input={{ inputMode: "decimal", maxLength: 30, autocomplete: "off" }}
        />
      </div>
      <div class="fields">{fields("book_from", "book_until")}</div>
      <div class="fields">{fields("start_from", "start_until")}</div>
      {fields("max_uses")}
      {activities.length > 0 && (
        <FieldGroup id="offering_ids" label="Activities" error={error("offering_ids")}>
          <p class="hint">If no activity is selected, the code applies to all activities.</p>
          {activities.map(([id, name]) => (
            <Checkbox key={id} name={`offering_${id}`} label={name} checked={typedValues[`offering_${id}`] === "on"} />
          ))}
        </FieldGroup>
      )}
      {fields("active", "returns_on_cancel")}
    </>
  )

/** Reads the fields that the page renders itself. */
const readOwnFields = (context: PageContext) =>
  Effect.gen(function*() {
    const { form, org } = context
    const percent = (form["percent"] ?? "").trim().replace(",", ".")
    if (percent !== "" && !/^\d{1,3}(\.\d{1,2})?$/.test(percent)) {
      return yield* invalid("percent_bps: must be a percentage from 0 to 100 with at most 2 decimals")
    }
    const offeringIds = Object.keys(form).flatMap((name) =>
      name.startsWith("offering_") && form[name] === "on" ? [name.slice("offering_".length)] : []
    )
    return {
      ...(percent === "" ? {} : { percent_bps: Math.round(Number(percent) * 100) }),
      ...((form["amount"] ?? "").trim() === "" ? {} : { cents: yield* parseAmountField(form, "amount", org.currency) }),
      offering_ids: offeringIds.length === 0 ? null : offeringIds
    }
  })

export const newDiscountPage = formPage("/discounts/new", discountsCreate, {
  fields,
  access,
  *view(context) {
    return {
      title: "Create a discount code",
      lead: <Link to="/discounts">Back to discount codes</Link>,
      values: { active: true, returns_on_cancel: true },
      button: "Create code",
      back: "/discounts",
      backLabel: "Cancel",
      children: renderFields(yield* loadOfferingNames(context, 500))
    }
  },
  *submit(context, input) {
    yield* context.run(discountsCreate, { ...input, ...yield* readOwnFields(context) })
    return savedPath
  }
})

/** Loads the discount code specified in the path. */
const loadDiscount = ({ id, run }: PageContext) =>
  Effect.flatMap(run(discountsList, { limit: 500 }), ({ data }) => {
    const match = data.find((discount) => discount.id === id)
    return match === undefined ? notFound("discount code", "here") : Effect.succeed(match)
  })

export const editDiscountPage = formPage("/discounts/:id", discountsUpdate, {
  fields,
  access,
  *view(context) {
    const discount = yield* loadDiscount(context)
    const activities = yield* loadOfferingNames(context, 500)
    const { cents, code, max_uses, offering_ids, percent_bps, uses } = discount
    return {
      title: code,
      lead: <Link to="/discounts">Back to discount codes</Link>,
      values: discount,
      own: {
        percent: percent_bps === null ? "" : String(percent_bps / 100),
        amount: cents === null ? "" : formatAmountInput(cents, context.org.currency),
        ...Object.fromEntries((offering_ids ?? []).map((id) => [`offering_${id}`, "on"]))
      },
      button: "Save",
      back: "/discounts",
      backLabel: "Cancel",
      children: (...args) => (
        <>
          <p class="note">{`${usesText(uses, max_uses)}. Existing bookings keep their prices.`}</p>
          {renderFields(activities)(...args)}
        </>
      )
    }
  },
  *submit(context, input) {
    yield* context.run(discountsUpdate, { ...input, ...yield* readOwnFields(context), id: context.id })
    return savedPath
  }
})

const makeActivationPage = (path: `/${string}`, active: boolean) =>
  page(path, {
    access,
    submit: ({ id, run }) => Effect.as(run(discountsUpdate, { id, active }), savedPath)
  })

export const activateDiscountPage = makeActivationPage("/discounts/:id/activate", true)

export const deactivateDiscountPage = makeActivationPage("/discounts/:id/deactivate", false)

export const deleteDiscountPage = confirmPage("/discounts/:id/delete", {
  access,
  *view(context) {
    const { code } = yield* loadDiscount(context)
    return {
      title: "Delete this discount code?",
      happens: [
        <>
          <b>{code}</b> is deleted. Guests can no longer use it.
        </>,
        "Existing bookings keep their prices.",
        "This cannot be undone."
      ],
      button: "Delete code",
      back: "/discounts",
      backLabel: "Keep code"
    }
  },
  submit: ({ id, run }) =>
    Effect.as(ignoreNotFound(run(discountsDelete, { id })), redirectTo("/discounts", "discountDeleted"))
})
