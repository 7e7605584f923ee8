/** Several refunds of a payment, and the amounts of disputes. Servers of earlier versions would not see these refunds. */
export const refunds: ReadonlyArray<string> = [
  "alter table payments add column refunds text not null default 'null'",
  "alter table payments add column dispute_cents integer",
  "alter table bookings add column dispute_cents integer"
]
