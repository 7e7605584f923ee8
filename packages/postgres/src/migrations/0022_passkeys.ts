/**
 * Passkeys of the people of an org, and what their devices are asked to sign: that is asked
 * before anybody knows of which org they are, and so is of none.
 */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const passkeys = (schema: string): ReadonlyArray<string> => [
  `create table "${schema}".passkeys (
    org_id ${text} not null references "${schema}".orgs (id),
    id ${text} not null,
    staff_id ${text} not null,
    public_key ${text} not null,
    counter bigint not null,
    name ${text} not null,
    created_at bigint not null,
    last_used_at bigint,
    primary key (org_id, id)
  )`,
  `create unique index passkeys_by_id on "${schema}".passkeys (id)`,
  `create index passkeys_of_person on "${schema}".passkeys (org_id, staff_id)`,
  `create table "${schema}".passkey_challenges (
    digest ${text} not null primary key,
    staff_id ${text},
    expires_at bigint not null
  )`,
  `create index passkey_challenges_over on "${schema}".passkey_challenges (expires_at, digest)`,
  ...isolateTable(schema, "passkeys", "org_id")
]
