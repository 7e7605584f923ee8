/**
 * Adds refunds that the provider refused or has not sent yet, dispute decisions, and payments that do not match their
 * request.
 */
const text = `text collate "C"`

export const refusals = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".payments
    add column refund_pending_id ${text},
    add column refund_refusals bigint not null default 0 check (refund_refusals >= 0),
    add column dispute ${text} check (dispute in ('open', 'won', 'lost')),
    add column mismatch_at bigint,
    add column mismatch_intent ${text},
    add column mismatch_cents bigint,
    add column mismatch_currency ${text}`,
  `update "${schema}".payments set dispute = 'open' where disputed_at is not null`,
  `alter table "${schema}".bookings
    add column dispute ${text} check (dispute in ('open', 'won', 'lost')),
    add column disputed_at bigint`,
  `update "${schema}".bookings set dispute = 'open', disputed_at = p.disputed_at from "${schema}".payments p
    where p.org_id = bookings.org_id and p.booking_id = bookings.id and p.intent = bookings.payment_intent_id
      and p.disputed_at is not null`
]
