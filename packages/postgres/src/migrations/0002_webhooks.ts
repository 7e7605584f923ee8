/**
 * Webhooks, and leases for what several workers might do at once.
 *
 * `event_counters.undelivered` is how workers find what to do without looking at
 * every endpoint: null while an org has none, true from its next event on, and
 * false again when all of its endpoints have had everything or stopped. The index
 * is written when it changes, not with every event. An org may have endpoints
 * before its first event, so its counter may be 0 now.
 */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const webhooks = (schema: string): ReadonlyArray<string> => {
  const table = (name: string): string => `"${schema}".${name}`
  return [
    `alter table ${table("event_counters")}
      drop constraint event_counters_last_check,
      add constraint event_counters_last_check check (last >= 0),
      add column undelivered boolean`,
    `create index event_counters_undelivered on ${table("event_counters")} (org_id) where undelivered`,

    // For work on every secret endpoints are gone through by their ids alone. A row changes with every delivery: room on
    // its page keeps what is written of that in place.
    `create table ${table("webhooks")} (
      org_id ${text} not null references ${table("orgs")} (id),
      id ${text} not null,
      url ${text} not null,
      events json not null check (json_typeof(events) = 'array'),
      active boolean not null,
      sealed_secret ${text} not null,
      created_at bigint not null,
      last_status bigint,
      last_error ${text} check (last_error in ('dns', 'blocked_address', 'connection', 'tls', 'timeout', 'status')),
      last_attempt_at bigint,
      cursor bigint not null check (cursor >= 0),
      stopped_at bigint check (stopped_at >= 0),
      retry_at bigint,
      fence bigint not null default 0 check (fence >= 0),
      lease_until bigint,
      primary key (org_id, id),
      check ((stopped_at is null) = (retry_at is null))
    ) with (fillfactor = 50)`,
    `create unique index webhooks_by_id on ${table("webhooks")} (id)`,
    `create index webhooks_retried on ${table("webhooks")} (retry_at) where active and retry_at is not null`,
    ...isolateTable(schema, "webhooks", "org_id"),

    `alter table ${table("outbox")}
      add column fence bigint not null default 0 check (fence >= 0),
      add column lease_until bigint`
  ]
}
