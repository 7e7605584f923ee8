/**
 * Names that the program is told of events under, and how far each has come in its
 * org's log.
 */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const subscriptions = (schema: string): ReadonlyArray<string> => [
  // A row changes with every event: room on its page keeps what is written of that in place.
  `create table "${schema}".subscriptions (
    org_id ${text} not null references "${schema}".orgs (id),
    name ${text} not null,
    cursor bigint not null check (cursor >= 0),
    failures bigint not null default 0 check (failures >= 0),
    retry_at bigint,
    fence bigint not null default 0 check (fence >= 0),
    lease_until bigint,
    primary key (org_id, name),
    check ((retry_at is null) = (failures = 0))
  ) with (fillfactor = 50)`,
  ...isolateTable(schema, "subscriptions", "org_id")
]
