/** Adds multiple refunds per payment, and dispute amounts. Servers of earlier versions would not see these refunds. */
export const refunds = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".payments add column refunds json not null default 'null', add column dispute_cents bigint`,
  `alter table "${schema}".bookings add column dispute_cents bigint`
]
