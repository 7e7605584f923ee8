/**
 * Keys of requests that made something, so that a request that is sent again makes
 * nothing more; and work that is too large for one unit and has parts left.
 */
import { believed } from "./0002_statistics.ts"

export const parts: ReadonlyArray<string> = [
  `create table request_keys (
    org_id text not null references orgs (id),
    operation text not null,
    key text not null,
    fingerprint text not null,
    made text not null check (json_type(made) = 'array'),
    made_at integer not null,
    primary key (org_id, operation, key)
  ) strict, without rowid`,

  `create table unfinished (
    org_id text not null references orgs (id),
    subject text not null check (subject in ('offering', 'session', 'customer')),
    id text not null,
    begun_at integer not null,
    touched_at integer not null,
    cancelled integer not null check (cancelled >= 0),
    refunded integer not null check (refunded >= 0),
    primary key (org_id, subject, id)
  ) strict, without rowid`,
  "create index unfinished_untouched on unfinished (touched_at, org_id, subject, id)",

  ...believed([
    ["request_keys", "request_keys", 1e5, 100, 50, 1],
    ["unfinished", "unfinished", 10, 2, 1, 1],
    ["unfinished", "unfinished_untouched", 10, 1, 1, 1, 1]
  ])
]
