/**
 * Keys of requests that made something, so that a request that is sent again makes
 * nothing more; and work that is too large for one unit and has parts left.
 */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const parts = (schema: string): ReadonlyArray<string> => [
  `create table "${schema}".request_keys (
    org_id ${text} not null references "${schema}".orgs (id),
    operation ${text} not null,
    key ${text} not null,
    fingerprint ${text} not null,
    made json not null check (json_typeof(made) = 'array'),
    made_at bigint not null,
    primary key (org_id, operation, key)
  )`,
  ...isolateTable(schema, "request_keys", "org_id"),

  `create table "${schema}".unfinished (
    org_id ${text} not null references "${schema}".orgs (id),
    subject ${text} not null check (subject in ('offering', 'session', 'customer')),
    id ${text} not null,
    begun_at bigint not null,
    touched_at bigint not null,
    cancelled bigint not null check (cancelled >= 0),
    refunded bigint not null check (refunded >= 0),
    primary key (org_id, subject, id)
  )`,
  `create index unfinished_untouched on "${schema}".unfinished (touched_at, org_id, subject, id)`,
  ...isolateTable(schema, "unfinished", "org_id")
]
