/**
 * Applications that orgs let in, and what they come in with. An application itself
 * belongs to no org: it may have been let in by many.
 */
import { believed } from "./0002_statistics.ts"

export const applications: ReadonlyArray<string> = [
  `create table applications (
    client_id text not null primary key,
    name text not null,
    redirect_uris text not null,
    created_at integer not null,
    read_at integer not null
  ) strict, without rowid`,
  "create index applications_by_age on applications (read_at, client_id)",
  `create table grants (
    org_id text not null references orgs (id),
    id text not null,
    client_id text not null,
    name text not null,
    staff_id text not null,
    scopes text not null,
    personal integer not null check (personal in (0, 1)),
    created_at integer not null,
    last_used_at integer,
    withdrawn_at integer,
    primary key (org_id, id)
  ) strict, without rowid`,
  "create index grants_of_client on grants (client_id)",
  `create table grant_codes (
    org_id text not null,
    digest text not null,
    grant_id text not null,
    client_id text not null,
    redirect_uri text not null,
    challenge text not null,
    created_at integer not null,
    expires_at integer not null,
    spent_at integer,
    primary key (org_id, digest),
    foreign key (org_id, grant_id) references grants (org_id, id)
  ) strict, without rowid`,
  "create unique index grant_codes_by_digest on grant_codes (digest)",
  "create index grant_codes_of_grant on grant_codes (org_id, grant_id)",
  `create table grant_tokens (
    org_id text not null,
    digest text not null,
    grant_id text not null,
    kind text not null check (kind in ('access', 'refresh')),
    scopes text not null,
    created_at integer not null,
    expires_at integer not null,
    rotated_at integer,
    uses integer not null check (uses >= 0),
    primary key (org_id, digest),
    foreign key (org_id, grant_id) references grants (org_id, id)
  ) strict, without rowid`,
  "create unique index grant_tokens_by_digest on grant_tokens (digest)",
  "create index grant_tokens_of_grant on grant_tokens (org_id, grant_id)",
  ...believed([
    ["applications", "applications", 1e3, 1],
    ["applications", "applications_by_age", 1e3, 1, 1],
    ["grants", "grants", 1e3, 5, 1],
    ["grants", "grants_of_client", 1e3, 100],
    ["grant_codes", "grant_codes", 1e3, 5, 1],
    ["grant_codes", "grant_codes_by_digest", 1e3, 1],
    ["grant_codes", "grant_codes_of_grant", 1e3, 5, 1],
    ["grant_tokens", "grant_tokens", 1e6, 5000, 1],
    ["grant_tokens", "grant_tokens_by_digest", 1e6, 1],
    ["grant_tokens", "grant_tokens_of_grant", 1e6, 5000, 1000]
  ])
]
