/** Adds prices to offerings, fees to orgs, and the price with its terms to each booking. */
export const prices: ReadonlyArray<string> = [
  "alter table offerings add column pricing text not null default 'null'",
  "alter table orgs add column fees text not null default '[]'",
  "alter table bookings add column price text not null default 'null'"
]
