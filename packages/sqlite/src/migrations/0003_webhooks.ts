/**
 * Webhooks, and leases for what several workers might do at once.
 *
 * `event_counters.undelivered` is how workers find what to do without looking at
 * every endpoint: null while an org has none, 1 from its next event on, and 0 again
 * when all of its endpoints have had everything or stopped. An org may have
 * endpoints before its first event, so its counter may be 0 now; SQLite changes no
 * check, so the table is made again. The log refers to it, which is looked at again
 * when the change is committed.
 */
import { believed } from "./0002_statistics.ts"

export const webhooks: ReadonlyArray<string> = [
  "pragma defer_foreign_keys = on",
  "create temporary table kept as select org_id, last from event_counters",
  "drop table event_counters",
  `create table event_counters (
    org_id text primary key references orgs (id),
    last integer not null check (last >= 0),
    undelivered integer check (undelivered in (0, 1))
  ) strict, without rowid`,
  "insert into event_counters (org_id, last) select org_id, last from kept",
  "drop table kept",
  "create index event_counters_undelivered on event_counters (org_id) where undelivered",

  // For work on every secret endpoints are gone through by their ids alone.
  `create table webhooks (
    org_id text not null references orgs (id),
    id text not null,
    url text not null,
    events text not null check (json_type(events) = 'array'),
    active integer not null check (active in (0, 1)),
    sealed_secret text not null,
    created_at integer not null,
    last_status integer,
    last_error text check (last_error in ('dns', 'blocked_address', 'connection', 'tls', 'timeout', 'status')),
    last_attempt_at integer,
    cursor integer not null check (cursor >= 0),
    stopped_at integer check (stopped_at >= 0),
    retry_at integer,
    fence integer not null default 0 check (fence >= 0),
    lease_until integer,
    primary key (org_id, id),
    check ((stopped_at is null) = (retry_at is null))
  ) strict`,
  "create unique index webhooks_by_id on webhooks (id)",
  "create index webhooks_retried on webhooks (retry_at) where active and retry_at is not null",

  "alter table outbox add column fence integer not null default 0 check (fence >= 0)",
  "alter table outbox add column lease_until integer",

  ...believed([
    ["event_counters", "event_counters", 1e3, 1],
    ["event_counters", "event_counters_undelivered", 10, 1],
    ["webhooks", "sqlite_autoindex_webhooks_1", 2e3, 2, 1],
    ["webhooks", "webhooks_by_id", 2e3, 1],
    ["webhooks", "webhooks_retried", 20, 1]
  ])
]
