/** Prices of offerings, fees of orgs, and the price of each booking with its terms. */
export const prices = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".offerings add column pricing json not null default 'null'`,
  `alter table "${schema}".orgs add column fees json not null default '[]'`,
  `alter table "${schema}".bookings add column price json not null default 'null'`
]
