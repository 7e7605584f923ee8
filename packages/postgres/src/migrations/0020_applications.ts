/**
 * Applications that orgs let in, and what they come in with. An application itself
 * belongs to no org: it may have been let in by many.
 */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const applications = (schema: string): ReadonlyArray<string> => [
  `create table "${schema}".applications (
    client_id ${text} not null primary key,
    name ${text} not null,
    redirect_uris json not null,
    created_at bigint not null,
    read_at bigint not null
  )`,
  `create index applications_by_age on "${schema}".applications (read_at, client_id)`,
  `create table "${schema}".grants (
    org_id ${text} not null references "${schema}".orgs (id),
    id ${text} not null,
    client_id ${text} not null,
    name ${text} not null,
    staff_id ${text} not null,
    scopes json not null,
    personal boolean not null,
    created_at bigint not null,
    last_used_at bigint,
    withdrawn_at bigint,
    primary key (org_id, id)
  )`,
  `create index grants_of_client on "${schema}".grants (client_id)`,
  `create table "${schema}".grant_codes (
    org_id ${text} not null,
    digest ${text} not null,
    grant_id ${text} not null,
    client_id ${text} not null,
    redirect_uri ${text} not null,
    challenge ${text} not null,
    created_at bigint not null,
    expires_at bigint not null,
    spent_at bigint,
    primary key (org_id, digest),
    foreign key (org_id, grant_id) references "${schema}".grants (org_id, id)
  )`,
  `create unique index grant_codes_by_digest on "${schema}".grant_codes (digest)`,
  `create index grant_codes_of_grant on "${schema}".grant_codes (org_id, grant_id)`,
  `create table "${schema}".grant_tokens (
    org_id ${text} not null,
    digest ${text} not null,
    grant_id ${text} not null,
    kind ${text} not null check (kind in ('access', 'refresh')),
    scopes json not null,
    created_at bigint not null,
    expires_at bigint not null,
    rotated_at bigint,
    uses bigint not null check (uses >= 0),
    primary key (org_id, digest),
    foreign key (org_id, grant_id) references "${schema}".grants (org_id, id)
  )`,
  `create unique index grant_tokens_by_digest on "${schema}".grant_tokens (digest)`,
  `create index grant_tokens_of_grant on "${schema}".grant_tokens (org_id, grant_id)`,
  ...isolateTable(schema, "grants", "org_id"),
  ...isolateTable(schema, "grant_codes", "org_id"),
  ...isolateTable(schema, "grant_tokens", "org_id")
]
