/**
 * The form for the party or quantity and the number of periods. Without JavaScript, a button submits the form. With
 * JavaScript, every change does.
 */
import { countPlaces, getMaxExtraQuantity, getMinExtraQuantity } from "@trailbook/core/pricing"
import { HiddenFields } from "../ui/Field.tsx"
import { getPersistentParameters, href } from "../ui/href.ts"
import { formatParty, type PartyAndExtras } from "./BookingSelection.ts"
import {
  buildOfferingPath,
  getSelectedQuantity,
  hasPricingChoices,
  type OfferingPageProps,
  SelectionLink
} from "./OfferingPageProps.tsx"

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

/** The rates and extras, each with the number that the guest has chosen. Every change is a link or a form button. */
const PartyFields = ({ picked }: { readonly picked: OfferingPageProps }) => {
  const { monthView: { extras, offering: { max_per_booking, pricing }, party, total_cents }, context } = picked
  const { format, text: { book } } = context
  if (pricing === null) return null
  const { extras: offeredExtras = [], min_places = 1, rates } = pricing
  const countOf = (id: string) => party.find(({ rate_id }) => rate_id === id)?.quantity ?? 0
  const places = countPlaces(pricing, party)

  /**
   * Returns the selection with a different quantity of one rate. If the party gets smaller, per-seat extras are reduced
   * too.
   */
  const withRate = (id: string, quantity: number): PartyAndExtras => {
    const nextParty = rates.flatMap((rate) => {
      const count = rate.id === id ? quantity : countOf(rate.id)
      return count === 0 ? [] : [{ rate_id: rate.id, quantity: count }]
    })
    const places = countPlaces(pricing, nextParty)
    return {
      party: nextParty,
      extras: offeredExtras.flatMap((extra) =>
        toChosenExtras(extra, Math.min(countOfExtra(extra.id), getMaxExtraQuantity(extra, places)))
      )
    }
  }
  const countOfExtra = (id: string) => extras.find(({ extra_id }) => extra_id === id)?.quantity ?? 0
  const toChosenExtras = ({ id }: { readonly id: string }, quantity: number) =>
    quantity === 0 ? [] : [{ extra_id: id, quantity }]
  const withExtra = (id: string, quantity: number): PartyAndExtras => ({
    party,
    extras: offeredExtras.flatMap((extra) => toChosenExtras(extra, extra.id === id ? quantity : countOfExtra(extra.id)))
  })
  const nameOf = (id: string) => rates.find((rate) => rate.id === id)?.name ?? id
  const dependentRate = rates.find(({ id, needs_any_of = [] }) =>
    countOf(id) > 0 && needs_any_of.length > 0 && !needs_any_of.some((needed) => countOf(needed) > 0)
  )

  return (
    <div class="stack tight">
      {rates.map((rate) => {
        const { id, max = null, name, price_cents } = rate
        const count = countOf(id)
        const more = withRate(id, count + 1)
        const fewer = withRate(id, count - 1)
        return (
          <Stepper
            key={id}
            picked={picked}
            id={`rate-${id}`}
            name={name}
            detail={price_cents === 0 ? book.free : format.money(price_cents)}
            count={count}
            fewer={count > 0 && countPlaces(pricing, fewer.party) >= 1 ? fewer : undefined}
            more={(max === null || count < max) && countPlaces(pricing, more.party) <= max_per_booking
              ? more
              : undefined}
          />
        )
      })}
      {offeredExtras.map((extra) => {
        const { id, name, price_cents } = extra
        const count = countOfExtra(id)
        return (
          <Stepper
            key={id}
            picked={picked}
            id={`extra-${id}`}
            name={name}
            detail={format.money(price_cents)}
            count={count}
            fewer={count > getMinExtraQuantity(extra, places) ? withExtra(id, count - 1) : undefined}
            more={count < getMaxExtraQuantity(extra, places) ? withExtra(id, count + 1) : undefined}
          />
        )
      })}
      {total_cents === null && (
        <output class="note">
          {dependentRate !== undefined
            ? book.needsAnyOf(dependentRate.name, (dependentRate.needs_any_of ?? []).map(nameOf))
            : places < min_places
            ? book.minPlaces(min_places)
            : book.errors.quantity}
        </output>
      )}
    </div>
  )
}

const Stepper = ({ count, detail, fewer, id, more, name, picked }: {
  readonly picked: OfferingPageProps
  readonly id: string
  readonly name: string
  readonly detail: string
  readonly count: number
  /** The selection with one fewer, or undefined at the limit. */
  readonly fewer: PartyAndExtras | undefined
  readonly more: PartyAndExtras | undefined
}) => {
  const { text: { book }, format } = picked.context
  const renderButton = (selection: PartyAndExtras | undefined, direction: "fewer" | "more", symbol: string) => {
    const at = `${direction}-${id}`
    return selection === undefined
      ? <span id={at} class="btn ghost off" tabIndex={-1} aria-hidden="true">{symbol}</span>
      : (
        <SelectionLink
          picked={picked}
          id={at}
          class="btn ghost"
          swap={at}
          name="party"
          value={formatParty(selection)}
          aria-label={book[direction](name)}
        >
          {symbol}
        </SelectionLink>
      )
  }
  return (
    <div class="party-row">
      <p>
        <b dir="auto">{name}</b>
        <br />
        <span class="soft small num">{detail}</span>
      </p>
      <span class="stepper num">
        {renderButton(fewer, "fewer", "−")}
        <output aria-label={name}>{format.number(count)}</output>
        {renderButton(more, "more", "+")}
      </span>
    </div>
  )
}
