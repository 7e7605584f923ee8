/** Adds the units for weather and rivers that an org chose. Null means the default for the org's time zone. */
export const units: ReadonlyArray<string> = [
  "alter table orgs add column units text check (units in ('us', 'metric'))"
]
