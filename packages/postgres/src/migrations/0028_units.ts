/** The units of weather and rivers that an org chose. Null is the default of its time zone. */
const text = `text collate "C"`

export const units = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".orgs add column units ${text} check (units in ('us', 'metric'))`
]
