/** Adds photos and trip information for guests to offerings, and a phone number to orgs. */
export const photos = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".offerings add column photos json not null default '[]'`,
  `alter table "${schema}".offerings add column info json not null
    default '{"bring":"","requirements":"","min_age":null,"waiver_url":null}'`,
  `alter table "${schema}".orgs add column phone text`
]
