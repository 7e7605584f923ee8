/** Photos of offerings, information for guests before a trip, and the phone number of the outfitter. */
export const photos: ReadonlyArray<string> = [
  "alter table offerings add column photos text not null default '[]'",
  `alter table offerings add column info text not null
    default '{"bring":"","requirements":"","min_age":null,"waiver_url":null}'`,
  "alter table orgs add column phone text"
]
