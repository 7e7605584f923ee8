/** Adds cancellation policies to orgs, offerings, and bookings, and the amounts of partial refunds. */
export const policies: ReadonlyArray<string> = [
  "alter table orgs add column cancellation_policy text not null default 'null'",
  "alter table offerings add column cancellation_policy text not null default 'null'",
  "alter table bookings add column cancellation_policy text not null default 'null'",
  "alter table bookings add column refund_cents integer",
  "alter table payments add column refund_cents integer"
]
