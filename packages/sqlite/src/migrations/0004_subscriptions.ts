/**
 * Names that the program is told of events under, and how far each has come in its
 * org's log.
 */
import { believed } from "./0002_statistics.ts"

export const subscriptions: ReadonlyArray<string> = [
  `create table subscriptions (
    org_id text not null references orgs (id),
    name text not null,
    cursor integer not null check (cursor >= 0),
    failures integer not null default 0 check (failures >= 0),
    retry_at integer,
    fence integer not null default 0 check (fence >= 0),
    lease_until integer,
    primary key (org_id, name),
    check ((retry_at is null) = (failures = 0))
  ) strict, without rowid`,

  ...believed([["subscriptions", "subscriptions", 2e3, 2, 1]])
]
