/**
 * The units of weather and rivers that an org chose. Null is the default of its time zone.
 */
export const units: ReadonlyArray<string> = [
  "alter table orgs add column units text check (units in ('us', 'metric'))"
]
