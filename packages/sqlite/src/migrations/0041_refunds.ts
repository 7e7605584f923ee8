/** Adds multiple refunds per payment, and dispute amounts. Servers of earlier versions would not see these refunds. */
export const refunds: ReadonlyArray<string> = [
  "alter table payments add column refunds text not null default 'null'",
  "alter table payments add column dispute_cents integer",
  "alter table bookings add column dispute_cents integer"
]
