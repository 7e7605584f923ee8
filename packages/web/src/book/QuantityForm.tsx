/**
 * The form for the party or quantity and the number of periods. Without JavaScript, a button submits the form. With
 * JavaScript, every change does.
 */
import { HiddenFields } from "../ui/Field.tsx"
import { getPersistentParameters, href } from "../ui/href.ts"
import {
  buildOfferingPath,
  getSelectedQuantity,
  hasPricingChoices,
  type OfferingPageProps
} from "./OfferingPageProps.ts"
import { PartyFields } from "./PartyFields.tsx"

/** Quantities up to this maximum are offered as a list, and guests type larger ones. */
const maxOptions = 20

export const QuantityForm = ({ picked }: { readonly picked: OfferingPageProps }) => {
  const { monthView: { date, offering, periods }, context, contactDetails } = picked
  const { format, text: { book } } = context
  const hasPeriods = offering.kind === "rental" && offering.max_periods > 1
  const fields = (
    <>
      {hasPricingChoices(offering) && (
        <>
          <PartyFields picked={picked} />
          <HiddenFields values={{ party: getSelectedQuantity(picked.monthView).party }} />
        </>
      )}
      {(!hasPricingChoices(offering) || hasPeriods) && (
        <div class="row">
          {!hasPricingChoices(offering) && <Quantity picked={picked} />}
          {hasPeriods && (
            <div class="field">
              <label for="periods">{book.periods}</label>
              <select id="periods" name="periods" data-live="">
                {countTo(offering.max_periods).map((n) => (
                  <option key={n} value={n} selected={n === periods}>
                    {format.length(n * offering.duration_minutes)}
                  </option>
                ))}
              </select>
            </div>
          )}
          <button
            class="btn ghost update"
            {...contactDetails === undefined
              ? {}
              : { formaction: href(context, buildOfferingPath(picked, "/times")), formnovalidate: true }}
          >
            {book.update}
          </button>
        </div>
      )}
    </>
  )
  if (contactDetails !== undefined) return fields
  return (
    <form method="get" action={context.site.link(buildOfferingPath(picked))} id="wanted">
      <HiddenFields values={{ date: date ?? undefined, ...getPersistentParameters(context.url) }} />
      {fields}
    </form>
  )
}

const countTo = (max: number): ReadonlyArray<number> => Array.from({ length: max }, (_, at) => at + 1)

const Quantity = (
  { picked: { monthView: { offering, quantity }, context } }: { readonly picked: OfferingPageProps }
) => {
  const { format, text: { book } } = context
  return (
    <div class="field">
      <label for="quantity">{book.quantity[offering.kind]}</label>
      {offering.max_per_booking <= maxOptions
        ? (
          <select id="quantity" name="quantity" data-live="">
            {countTo(offering.max_per_booking).map((n) => (
              <option key={n} value={n} selected={n === quantity}>{format.number(n)}</option>
            ))}
          </select>
        )
        : (
          <input
            id="quantity"
            name="quantity"
            type="number"
            inputMode="numeric"
            min={1}
            max={offering.max_per_booking}
            value={quantity}
            data-live=""
          />
        )}
    </div>
  )
}
