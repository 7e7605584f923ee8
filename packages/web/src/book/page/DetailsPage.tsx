import type { SlotView } from "@trailbook/core/availability"
import type { Page } from "../../ui/Document.tsx"
import { ErrorSummary, HiddenFields, TextAreaField } from "../../ui/Field.tsx"
import { href } from "../../ui/href.ts"
import { Layout } from "../../ui/Layout.tsx"
import { FactRow } from "../../ui/TripInfo.tsx"
import { type ContactFormValues, getSlotKey } from "../BookingSelection.ts"
import { type BookingFormErrors, HoneypotField, makeContactFields } from "../contactFields.tsx"
import {
  BookingSteps,
  bookPageOptions,
  buildOfferingPath,
  buildPickerUrl,
  formatSelectionTotal,
  getSelectedQuantity,
  type OfferingPageProps
} from "../OfferingPageProps.tsx"

export interface DetailsPageProps {
  readonly pageProps: OfferingPageProps
  readonly slot: SlotView
  readonly typed: ContactFormValues
  readonly errors: BookingFormErrors
  /** An error message that does not belong to a single field. */
  readonly news: string | undefined
  /** Whether the guest must first confirm the typed address. If so, the page offers to send a link by email. */
  readonly isUnproven: boolean
  /** The form's signed state (`formStateSigner.ts`). */
  readonly state: string
}

/** Renders the contact form, the second step of a booking. */
export const detailsPage = (
  { errors, isUnproven, news, pageProps, slot, state, typed }: DetailsPageProps
): Page => {
  const { monthView, context } = pageProps
  const { format, org, text: { book } } = context
  const field = makeContactFields(book, typed, errors)
  const id = getSlotKey(slot)
  return {
    title: `${book.steps.details} · ${monthView.offering.name} · ${org.name}`,
    ...bookPageOptions,
    ...(typed.email === "" ? { isCacheable: true as const } : {}),
    body: (
      <Layout shown={context}>
        <BookingSteps at="details" picked={pageProps} />
        <div class="stack tight">
          <h1>{book.steps.details}</h1>
          <p class="facts num">
            <span dir="auto">{monthView.offering.name}</span>
            <span>{format.moment(slot.starts_at)}</span>
            <b>{formatSelectionTotal(pageProps)}</b>
          </p>
        </div>
        <div class="split">
          <form class="card pad stack" method="post" action={href(context, buildOfferingPath(pageProps))} data-once="">
            <ErrorSummary title={book.problems} errors={Object.entries(errors)} />
            {news !== undefined && <p class="note" role="alert" tabIndex={-1} data-focus="">{news}</p>}
            {isUnproven && (
              <p>
                <button class="btn" formAction={href(context, `${buildOfferingPath(pageProps)}/email`)}>
                  {book.unproven.send}
                </button>
              </p>
            )}
            {field("name")}
            {field("email", { hint: book.emailHint })}
            {field("phone", { hint: book.phoneHint, optional: book.optional })}
            <TextAreaField
              name="notes"
              label={book.notes}
              value={typed.notes}
              error={errors.notes}
              optional={book.optional}
              rows={3}
              maxLength={2000}
            />
            {(monthView.takes_codes || typed.discount_code !== "") && (
              <details open={typed.discount_code !== ""}>
                <summary>{book.haveCode}</summary>
                {field("discount_code", { optional: book.optional })}
              </details>
            )}
            <HiddenFields
              values={{
                slot: id,
                date: monthView.date ?? undefined,
                key: typed.key,
                total: monthView.total_cents ?? undefined,
                ...getSelectedQuantity(monthView)
              }}
            />
            <HoneypotField label={book.trap} state={state} />
            <div class="stack tight">
              <button class="btn wide">{monthView.may_pay_online ? book.confirmOnline : book.confirm}</button>
              {monthView.may_pay_online && <p class="hint">{book.payHint}</p>}
            </div>
          </form>
          <Summary picked={pageProps} slot={slot} />
        </div>
      </Layout>
    )
  }
}

/** A summary of the selection: time, location, quantity, and total price. */
const Summary = ({ picked, slot }: { readonly picked: OfferingPageProps; readonly slot: SlotView }) => {
  const { monthView, context } = picked
  const { deposit, offering, quantity, total_cents } = monthView
  const { format, text: { book } } = context
  const { ends_at, starts_at } = slot
  const zone = format.zone(starts_at)
  return (
    <aside class="card pad stick stack" aria-labelledby="summary">
      <h2 id="summary">{book.summary}</h2>
      <p dir="auto">
        <b>{offering.name}</b>
      </p>
      <dl class="sum num">
        <FactRow label={book.when}>
          {format.longDay(starts_at)}
          <br />
          {format.localDate(starts_at) === format.localDate(ends_at)
            ? `${format.time(starts_at)} – ${format.time(ends_at)} ${zone}`
            : `${format.time(starts_at)} ${book.until} ${format.moment(ends_at)} ${zone}`}
        </FactRow>
        {offering.location !== "" && <FactRow label={book.where} dir="auto">{offering.location}</FactRow>}
        <FactRow label={book.quantity[offering.kind]}>{format.number(quantity)}</FactRow>
        {monthView.lines.map(({ id, included, kind, name, quantity, total_cents }) => (
          <FactRow key={`${kind} ${id}`} label={included ? book.included(name) : name}>
            {kind === "rate" || kind === "extra"
              ? `${format.number(quantity)} · ${format.money(total_cents)}`
              : format.money(total_cents)}
          </FactRow>
        ))}
        <FactRow label={book.total} total>{formatSelectionTotal(picked)}</FactRow>
        {deposit !== null && total_cents !== null && starts_at >= deposit.starts_from && (
          <>
            <FactRow label={book.deposit}>{format.money(deposit.cents)}</FactRow>
            <FactRow label={book.balance}>{format.money(total_cents - deposit.cents)}</FactRow>
          </>
        )}
      </dl>
      <p class="small">
        <a href={buildPickerUrl(picked)}>{book.change}</a>
      </p>
    </aside>
  )
}
