/** Adds prices to offerings, fees to orgs, and the price with its terms to each booking. */
export const prices = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".offerings add column pricing json not null default 'null'`,
  `alter table "${schema}".orgs add column fees json not null default '[]'`,
  `alter table "${schema}".bookings add column price json not null default 'null'`
]
