import type { SlotView } from "@trailbook/core/availability"
import type { Page } from "../../ui/Document.tsx"
import { Hidden, HoneypotField, Problems, TextField } from "../../ui/Field.tsx"
import { href } from "../../ui/href.ts"
import { Layout } from "../../ui/Layout.tsx"
import { contactFields } from "../contactFields.tsx"
import type { ContactFormValues } from "../ContactFormValues.ts"
import type { BookErrors } from "../errors.ts"
import {
  bookText,
  type OfferingPageProps,
  selectedQuantity,
  selectionPath,
  selectionTotal
} from "../OfferingPageProps.ts"
import { Steps } from "../Steps.tsx"
import { Summary } from "../Summary.tsx"

export interface Details {
  readonly picked: OfferingPageProps
  readonly slot: SlotView
  readonly typed: ContactFormValues
  readonly errors: BookErrors
  /** An error message that does not belong to a single field. */
  readonly news: string | undefined
  /** Whether the guest must first confirm the typed address. If so, the page offers to send a link by email. */
  readonly isUnproven: boolean
  /** The form's signed state (`formState.ts`). */
  readonly state: string
}

/** Renders the contact form, the second step of a booking. */
export const detailsPage = ({ errors, isUnproven, news, picked, slot, state, typed }: Details): Page => {
  const { open, shown } = picked
  const { format, org, text: { book } } = shown
  const field = contactFields(book, typed, errors)
  const id = slot.session_id ?? slot.starts_at
  return {
    title: `${book.steps.details} · ${open.offering.name} · ${org.name}`,
    ...bookText,
    ...(typed.email === "" ? { kept: true as const } : {}),
    body: (
      <Layout shown={shown}>
        <Steps at="details" picked={picked} />
        <div class="stack tight">
          <h1>{book.steps.details}</h1>
          <p class="facts num">
            <span dir="auto">{open.offering.name}</span>
            <span>{`${format.day(slot.starts_at)}, ${format.time(slot.starts_at)}`}</span>
            <b>{selectionTotal(picked)}</b>
          </p>
        </div>
        <div class="split">
          <form class="card pad stack" method="post" action={href(shown, selectionPath(picked))} data-once="">
            <Problems title={book.problems} errors={Object.entries(errors)} />
            {news !== undefined && <p class="note" role="alert" tabIndex={-1} data-focus="">{news}</p>}
            {isUnproven && (
              <p>
                <button class="btn" formAction={href(shown, `${selectionPath(picked)}/email`)}>
                  {book.unproven.send}
                </button>
              </p>
            )}
            {field("name")}
            {field("email", { hint: book.emailHint })}
            {field("phone", { hint: book.phoneHint, optional: book.optional })}
            <TextField
              name="notes"
              label={book.notes}
              value={typed.notes}
              error={errors.notes}
              optional={book.optional}
              rows={3}
              maxLength={2000}
            />
            {(open.takes_codes || typed.discount_code !== "") && (
              <details open={typed.discount_code !== ""}>
                <summary>{book.haveCode}</summary>
                {field("discount_code", { optional: book.optional })}
              </details>
            )}
            <Hidden
              values={{
                slot: id,
                date: open.date ?? undefined,
                key: typed.key,
                total: open.total_cents ?? undefined,
                ...selectedQuantity(open)
              }}
            />
            <HoneypotField label={book.trap} state={state} />
            <div class="stack tight">
              <button class="btn wide">{open.may_pay_online ? book.confirmOnline : book.confirm}</button>
              {open.may_pay_online && <p class="hint">{book.payHint}</p>}
            </div>
          </form>
          <Summary picked={picked} slot={slot} />
        </div>
      </Layout>
    )
  }
}
