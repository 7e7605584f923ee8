/**
 * The people of an org sign in: what they are in it, the links that they are mailed,
 * where they are signed in, and the list of what was changed about all that. Whoever
 * was there before may do the daily work; an owner has to be named.
 */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const people = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".staff add column role ${text} not null default 'staff' check (role in ('owner', 'staff'))`,
  `create index staff_signing_in on "${schema}".staff (email, org_id)`,
  `create table "${schema}".sign_in_links (
    org_id ${text} not null references "${schema}".orgs (id),
    digest ${text} not null,
    staff_id ${text} not null,
    next ${text},
    created_at bigint not null,
    expires_at bigint not null,
    spent_at bigint,
    primary key (org_id, digest)
  )`,
  `create unique index sign_in_links_by_digest on "${schema}".sign_in_links (digest)`,
  `create index sign_in_links_of_person on "${schema}".sign_in_links (org_id, staff_id, created_at, digest)`,
  `create table "${schema}".logins (
    org_id ${text} not null references "${schema}".orgs (id),
    id ${text} not null,
    staff_id ${text} not null,
    digest ${text} not null,
    way ${text} not null check (way in ('link', 'passkey')),
    device ${text} not null,
    created_at bigint not null,
    last_used_at bigint not null,
    expires_at bigint not null,
    ended_at bigint,
    primary key (org_id, id)
  )`,
  `create unique index logins_by_digest on "${schema}".logins (digest)`,
  `create index logins_of_person on "${schema}".logins (org_id, staff_id)`,
  `create table "${schema}".audit (
    org_id ${text} not null references "${schema}".orgs (id),
    id ${text} not null,
    at bigint not null,
    by_kind ${text} not null,
    staff_id ${text} check ((staff_id is not null) = (by_kind = 'Staff')),
    what ${text} not null,
    subject ${text} not null,
    name ${text} not null,
    primary key (org_id, id)
  )`,
  `create index audit_by_time on "${schema}".audit (org_id, at, id)`,
  ...isolateTable(schema, "sign_in_links", "org_id"),
  ...isolateTable(schema, "logins", "org_id"),
  ...isolateTable(schema, "audit", "org_id")
]
