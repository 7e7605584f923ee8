/** Adds photos and trip information for guests to offerings, and a phone number to orgs. */
export const photos: ReadonlyArray<string> = [
  "alter table offerings add column photos text not null default '[]'",
  `alter table offerings add column info text not null
    default '{"bring":"","requirements":"","min_age":null,"waiver_url":null}'`,
  "alter table orgs add column phone text"
]
