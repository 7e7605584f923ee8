/** Adds the units for weather and rivers that an org chose. Null means the default for the org's time zone. */
const text = `text collate "C"`

export const units = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".orgs add column units ${text} check (units in ('us', 'metric'))`
]
