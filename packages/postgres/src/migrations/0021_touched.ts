/**
 * How often something of an org has changed that is no event: dashboards look whether that, or the number of
 * its events, has moved.
 */
export const touched = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".event_counters add column touched bigint not null default 0`
]
