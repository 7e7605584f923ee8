/** Prices of offerings, fees of orgs, and the price of each booking with its terms. */
export const prices: ReadonlyArray<string> = [
  "alter table offerings add column pricing text not null default 'null'",
  "alter table orgs add column fees text not null default '[]'",
  "alter table bookings add column price text not null default 'null'"
]
