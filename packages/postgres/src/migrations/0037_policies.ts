/** Adds cancellation policies to orgs, offerings, and bookings, and the amounts of partial refunds. */
export const policies = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".orgs add column cancellation_policy json not null default 'null'`,
  `alter table "${schema}".offerings add column cancellation_policy json not null default 'null'`,
  `alter table "${schema}".bookings add column cancellation_policy json not null default 'null',
    add column refund_cents bigint`,
  `alter table "${schema}".payments add column refund_cents bigint`
]
