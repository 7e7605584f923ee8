/**
 * The people of an org sign in: what they are in it, the links that they are mailed,
 * where they are signed in, and the list of what was changed about all that. Whoever
 * was there before may do the daily work; an owner has to be named.
 */
import { believed } from "./0002_statistics.ts"

export const people: ReadonlyArray<string> = [
  `alter table staff add column role text not null default 'staff' check (role in ('owner', 'staff'))`,
  "create index staff_signing_in on staff (email, org_id)",
  `create table sign_in_links (
    org_id text not null references orgs (id),
    digest text not null,
    staff_id text not null,
    next text,
    created_at integer not null,
    expires_at integer not null,
    spent_at integer,
    primary key (org_id, digest)
  ) strict, without rowid`,
  "create unique index sign_in_links_by_digest on sign_in_links (digest)",
  "create index sign_in_links_of_person on sign_in_links (org_id, staff_id, created_at, digest)",
  `create table logins (
    org_id text not null references orgs (id),
    id text not null,
    staff_id text not null,
    digest text not null,
    way text not null check (way in ('link', 'passkey')),
    device text not null,
    created_at integer not null,
    last_used_at integer not null,
    expires_at integer not null,
    ended_at integer,
    primary key (org_id, id)
  ) strict, without rowid`,
  "create unique index logins_by_digest on logins (digest)",
  "create index logins_of_person on logins (org_id, staff_id)",
  `create table audit (
    org_id text not null references orgs (id),
    id text not null,
    at integer not null,
    by_kind text not null,
    staff_id text check ((staff_id is not null) = (by_kind = 'Staff')),
    what text not null,
    subject text not null,
    name text not null,
    primary key (org_id, id)
  ) strict, without rowid`,
  "create index audit_by_time on audit (org_id, at, id)",
  ...believed([
    ["staff", "staff_signing_in", 1e3, 1, 1],
    ["sign_in_links", "sign_in_links", 1e3, 5, 1],
    ["sign_in_links", "sign_in_links_by_digest", 1e3, 1],
    ["sign_in_links", "sign_in_links_of_person", 1e3, 5, 1, 1, 1],
    ["logins", "logins", 1e4, 20, 1],
    ["logins", "logins_by_digest", 1e4, 1],
    ["logins", "logins_of_person", 1e4, 20, 3],
    ["audit", "audit", 1e6, 1000, 1],
    ["audit", "audit_by_time", 1e6, 1000, 1, 1]
  ])
]
