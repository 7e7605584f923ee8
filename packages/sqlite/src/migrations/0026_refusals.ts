/**
 * Adds refunds that the provider refused or has not sent yet, dispute decisions, and payments that do not match their
 * request.
 */
export const refusals: ReadonlyArray<string> = [
  "alter table payments add column refund_pending_id text",
  "alter table payments add column refund_refusals integer not null default 0 check (refund_refusals >= 0)",
  "alter table payments add column dispute text check (dispute in ('open', 'won', 'lost'))",
  "update payments set dispute = 'open' where disputed_at is not null",
  "alter table payments add column mismatch_at integer",
  "alter table payments add column mismatch_intent text",
  "alter table payments add column mismatch_cents integer",
  "alter table payments add column mismatch_currency text",
  "alter table bookings add column dispute text check (dispute in ('open', 'won', 'lost'))",
  "alter table bookings add column disputed_at integer",
  `update bookings set dispute = 'open', disputed_at = p.disputed_at from payments p
    where p.org_id = bookings.org_id and p.booking_id = bookings.id and p.intent = bookings.payment_intent_id
      and p.disputed_at is not null`
]
