/**
 * How often something of an org has changed that is no event: dashboards look whether that, or the number of
 * its events, has moved.
 */
export const touched: ReadonlyArray<string> = [
  "alter table event_counters add column touched integer not null default 0"
]
