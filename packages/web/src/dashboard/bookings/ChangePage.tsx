import { invalid, type Refusal } from "@trailbook/core"
import { bookingsGet, bookingsQuote, bookingsUpdate, type BookingView } from "@trailbook/core/booking"
import { offeringsGet, type OfferingView } from "@trailbook/core/offering"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { PriceLine } from "@trailbook/core/pricing"
import type { Form as Typed } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import { Field, FieldGroup, HiddenFields, Table } from "../kit/elements.tsx"
import { Form, makeOperationForm } from "../kit/operationForm.tsx"
import { getPageUrl, page, type PageContent, type PageContext, redirectTo, usePage } from "../kit/page.tsx"
import { formatAmountInput, parseCents, readInteger } from "../parts/numberFields.ts"
import { describeGuestMail, formatBooking } from "./bookingText.tsx"

type Quote = Operation.Output<typeof bookingsQuote>

const changeForm = makeOperationForm(bookingsUpdate, {
  quantity: { label: "Quantity", isOwn: true },
  party: { label: "Party", isOwn: true },
  extras: { label: "Extras", isOwn: true },
  discount_code: { label: "Discount code", isOwn: true },
  adjustments: { label: "Adjustments", isOwn: true },
  notes: { label: "Guest notes", rows: 2 },
  staff_notes: { label: "Staff notes", hint: "Guests never see staff notes.", rows: 2 },
  notify: "Email the guest about changes to the party, extras, or price"
})

/** Changes a booking's party, extras, discount, adjustments, and notes, after a preview of the price. */
export const changeBookingPage = page("/bookings/:id/change", {
  *view(context) {
    const { booking, choices } = yield* loadChoices(context)
    return renderContent(context, booking, choices, toInitialValues(context, booking, choices), undefined)
  },
  *submit(context) {
    const { form, id, run } = context
    const { booking, choices } = yield* loadChoices(context)
    const change = yield* readChange(context, booking, choices)
    if (form["do"] !== "save") {
      const quote = yield* run(bookingsQuote, { booking_id: id, ...change })
      // Browsers omit an unchecked check box, so `notify` is empty by default.
      return renderContent(context, booking, choices, { notify: "", ...form }, quote)
    }
    const total = form["total"]
    yield* run(bookingsUpdate, {
      ...yield* changeForm.read(context),
      ...change,
      id,
      expected_total_cents: total === undefined ? undefined : Number(total)
    })
    return redirectTo(`/bookings/${id}`, "changed")
  }
})

/** A rate or an extra, with its booked quantity. */
interface Choice {
  readonly id: string
  readonly name: string
  readonly cents: number
  readonly booked: number
}

interface Choices {
  /** The rates, or an empty list if only one rate can be booked and the quantity is entered instead. */
  readonly rates: ReadonlyArray<Choice>
  readonly extras: ReadonlyArray<Choice>
}

const loadChoices = ({ id, run }: PageContext) =>
  Effect.gen(function*() {
    const booking = yield* run(bookingsGet, { id })
    const offering = yield* run(offeringsGet, { id: booking.offering_id })
    return { booking, choices: toChoices(booking, offering) }
  })

/**
 * Returns the booked rates and extras at their booked prices, followed by all other rates and extras at today's prices.
 */
const toChoices = ({ lines = [], offering: { kind }, quantity }: BookingView, { pricing }: OfferingView): Choices => {
  const toBookedChoices = (lineKind: PriceLine["kind"]) =>
    lines.flatMap(({ id, kind, name, quantity: booked, unit_cents: cents }) =>
      kind === lineKind ? [{ id, name, cents, booked }] : []
    )
  const toUnbookedChoices = (
    list: ReadonlyArray<{ readonly id: string; readonly name: string; readonly price_cents: number }>
  ) => list.map(({ id, name, price_cents: cents }) => ({ id, name, cents, booked: 0 }))
  const unique = (list: ReadonlyArray<Choice>) =>
    list.filter(({ id }, at) => list.findIndex((one) => one.id === id) === at)
  const rates = toBookedChoices("rate")
  const bookedRates = rates.length > 0
    ? rates
    : [{ id: "standard", name: "Price as booked", cents: 0, booked: quantity }]
  const rateChoices = unique([...bookedRates, ...toUnbookedChoices(pricing?.rates ?? [])])
  return {
    rates: rateChoices.length === 1 || rates.length === 0 && kind === "appointment" ? [] : rateChoices,
    extras: unique([...toBookedChoices("extra"), ...toUnbookedChoices(pricing?.extras ?? [])])
  }
}

const toInitialValues = (
  { org }: PageContext,
  { adjustments = [], discount_code = "", quantity }: BookingView,
  { extras, rates }: Choices
): Typed => ({
  quantity: String(quantity),
  discount_code,
  ...Object.fromEntries(rates.map(({ booked, id }) => [`rate_${id}`, String(booked)])),
  ...Object.fromEntries(extras.map(({ booked, id }) => [`extra_${id}`, String(booked)])),
  ...Object.fromEntries(
    adjustments.flatMap(({ cents, name }, at) => [
      [`name_${at}`, name],
      [`amount_${at}`, `${cents < 0 ? "-" : ""}${formatAmountInput(Math.abs(cents), org.currency)}`]
    ])
  )
})

const hasChange = (counts: ReadonlyArray<{ readonly isChanged: boolean }>): boolean =>
  counts.some(({ isChanged }) => isChanged)

/** Reads the change. Omits an unchanged party, so that the booking can keep a rate that no longer exists. */
const readChange = (context: PageContext, booking: BookingView, { extras, rates }: Choices) =>
  Effect.gen(function*() {
    const { form } = context
    const readCount = (name: string) => (form[name] ?? "").trim() === "" ? Effect.succeed(0) : readInteger(form, name)
    const readCounts = (prefix: string, choices: ReadonlyArray<Choice>) =>
      Effect.forEach(choices, ({ booked, id }) =>
        Effect.map(readCount(`${prefix}_${id}`), (quantity) => ({ id, quantity, isChanged: quantity !== booked })))
    const party = yield* readCounts("rate", rates)
    const newExtras = yield* readCounts("extra", extras)
    const quantity = rates.length === 0 ? yield* readCount("quantity") : booking.quantity
    const { discount_code: oldCode = "" } = booking
    const code = (form["discount_code"] ?? oldCode).trim().toUpperCase()
    const adjustments = yield* readAdjustments(context)
    const currentAdjustments = booking.adjustments ?? []
    const isUnchanged = adjustments.length === currentAdjustments.length &&
      adjustments.every(({ cents, name }, at) =>
        cents === currentAdjustments[at]?.cents && name === currentAdjustments[at]?.name
      )
    return {
      ...(quantity === booking.quantity ? {} : { quantity }),
      ...(hasChange(party)
        ? {
          party: party.flatMap(({ id, quantity }) =>
            quantity > 0 ? [{ rate_id: id, quantity }] : []
          )
        }
        : {}),
      ...(hasChange(newExtras)
        ? { extras: newExtras.flatMap(({ id, quantity }) => quantity > 0 ? [{ extra_id: id, quantity }] : []) }
        : {}),
      ...(code === oldCode ? {} : { discount_code: code === "" ? null : code }),
      ...(isUnchanged ? {} : { adjustments })
    }
  })

/** Reads the adjustment rows that have a name or an amount. A minus sign lowers the price. */
const readAdjustments = (
  { form, org }: PageContext
): Effect.Effect<Array<{ name: string; cents: number }>, Refusal<"invalid_request">> =>
  Effect.forEach(
    Object.keys(form).filter((key) => key.startsWith("name_")).map((key) => key.slice(5))
      .filter((at) => `${form[`name_${at}`] ?? ""}${form[`amount_${at}`] ?? ""}`.trim() !== ""),
    (at) => {
      const text = (form[`amount_${at}`] ?? "").trim()
      const isNegative = /^[-−–]/.test(text)
      const cents = parseCents(isNegative ? text.slice(1) : text, org.currency)
      const name = (form[`name_${at}`] ?? "").trim()
      if (name === "") return invalid("adjustments: must each have a name and an amount")
      return typeof cents === "string"
        ? invalid(`adjustments: ${cents}`)
        : Effect.succeed({ name, cents: isNegative ? -cents : cents })
    }
  )

const renderContent = (
  { format }: PageContext,
  booking: BookingView,
  { extras, rates }: Choices,
  formValues: Typed,
  quote: Quote | undefined
): PageContent => ({
  title: "Change this booking",
  lead: <span dir="auto">{formatBooking(format, booking)}</span>,
  body: (
    <div class="stack form">
      {quote !== undefined && <PricePreview booking={booking} quote={quote} typed={formValues} />}
      <Form
        of={changeForm}
        own={formValues}
        values={{ notes: booking.notes, staff_notes: booking.staff_notes, notify: true }}
        title={quote === undefined ? "Changes" : "Edit"}
        button="Review change"
        back={`/bookings/${booking.id}`}
        backLabel="Cancel"
      >
        {(fields, { error, typedValues }) => (
          <>
            {rates.length === 0
              ? (
                <Field
                  name="quantity"
                  label={booking.offering.kind === "rental" ? "Items" : "Guests"}
                  value={typedValues["quantity"]}
                  error={error("quantity") ?? error("party")}
                  input={{ inputMode: "numeric", maxLength: 5, autocomplete: "off" }}
                />
              )
              : (
                <QuantityFields
                  name="rate"
                  id="party"
                  label="Party"
                  of={rates}
                  typed={typedValues}
                  error={error("party")}
                />
              )}
            {extras.length > 0 && (
              <QuantityFields
                name="extra"
                id="extras"
                label="Extras"
                of={extras}
                typed={typedValues}
                error={error("extras")}
              />
            )}
            <Field
              name="discount_code"
              label="Discount code"
              optional="leave empty for none"
              value={typedValues["discount_code"]}
              error={error("discount_code")}
              input={{ maxLength: 40, autocomplete: "off", autocapitalize: "characters", spellcheck: false }}
            />
            <AdjustmentFields typed={typedValues} error={error("adjustments")} />
            {fields("notes", "staff_notes", "notify")}
          </>
        )}
      </Form>
    </div>
  )
})

/** A number input for each rate or extra. */
const QuantityFields = ({ error, id, label, name, of, typed }: {
  readonly name: string
  readonly id: string
  readonly label: string
  readonly of: ReadonlyArray<Choice>
  readonly typed: Typed
  readonly error: string | undefined
}) => {
  const { format } = usePage()
  return (
    <FieldGroup id={id} label={label} error={error}>
      <div class="fields">
        {of.map(({ cents, id, name: text }) => (
          <Field
            key={id}
            name={`${name}_${id}`}
            label={text}
            hint={cents === 0 ? undefined : `${format.money(cents)} each`}
            value={typed[`${name}_${id}`]}
            input={{ inputMode: "numeric", maxLength: 5, autocomplete: "off", required: false }}
          />
        ))}
      </div>
    </FieldGroup>
  )
}

/** The names and amounts of the adjustments. One row is empty, and the preview adds another. */
const AdjustmentFields = ({ error, typed }: { readonly typed: Typed; readonly error: string | undefined }) => {
  const filledKeys = Object.keys(typed).filter((key) => key.startsWith("name_")).map((key) => key.slice(5))
    .filter((at) => `${typed[`name_${at}`] ?? ""}${typed[`amount_${at}`] ?? ""}` !== "")
  const rows = [...filledKeys.map((at) => [typed[`name_${at}`], typed[`amount_${at}`]]), ["", ""]]
  return (
    <fieldset id="adjustments" tabIndex={-1}>
      <legend class="label">Adjustments</legend>
      <p class="hint">
        For example, a damaged paddle, a late return, or a goodwill discount. Use a minus sign to lower the price.
      </p>
      {error !== undefined && <p class="bad small">{error}</p>}
      {rows.map(([name, amount], at) => (
        <div key={at} class="fields">
          <input
            class="input"
            name={`name_${at}`}
            aria-label={`Name of adjustment ${at + 1}`}
            placeholder="Name"
            value={name}
            maxLength={80}
            autocomplete="off"
            dir="auto"
          />
          <input
            class="input"
            name={`amount_${at}`}
            aria-label={`Amount of adjustment ${at + 1}`}
            placeholder="Amount"
            value={amount}
            maxLength={30}
            autocomplete="off"
          />
        </div>
      ))}
    </fieldset>
  )
}

/** The lines that make up a price. Lines that are already part of another line are excluded. */
export const PriceLines = ({ lines }: { readonly lines: ReadonlyArray<PriceLine> }) => {
  const { format } = usePage()
  return (
    <Table label="Price" heads={["Price", ["num", "Amount"]]}>
      {lines.filter(({ included }) => !included).map(({ id, kind, name, quantity, total_cents }) => (
        <tr key={`${kind} ${id}`}>
          <td dir="auto">{quantity === 1 ? name : `${format.number(quantity)} × ${name}`}</td>
          <td class="num">{format.money(total_cents)}</td>
        </tr>
      ))}
    </Table>
  )
}

const PricePreview = ({ booking, quote, typed }: {
  readonly booking: BookingView
  readonly quote: Quote
  readonly typed: Typed
}) => {
  const context = usePage()
  const { format } = context
  const { customer, paid_cents, total_cents } = booking
  const { lines, total_cents: total } = quote
  const balance = total - paid_cents
  return (
    <form class="card" method="post" action={getPageUrl(context)} data-once="" aria-labelledby="preview-title">
      <header>
        <h2 id="preview-title">
          <s>{format.money(total_cents)}</s> becomes {format.money(total)}
        </h2>
      </header>
      <PriceLines lines={lines} />
      <div class="pad stack tight">
        <ul class="stack tight">
          {paid_cents !== 0 && <li>{`${format.money(paid_cents)} has been paid.`}</li>}
          {balance > 0 && <li>{`The guest owes ${format.money(balance)}.`}</li>}
          {balance < 0 && <li>{`You owe the guest ${format.money(-balance)}. Nothing is refunded automatically.`}</li>}
          {typed["notify"] === "on" && (
            <li>
              {describeGuestMail(
                customer,
                (name, email) => `${name} gets an email at ${email} if the party or the price changes.`
              )}
            </li>
          )}
        </ul>
        <HiddenFields values={{ ...typed, do: "save", total }} />
        <p class="acts">
          <button class="btn main">Save change</button>
        </p>
      </div>
    </form>
  )
}
