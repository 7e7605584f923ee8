/**
 * Passkeys of the people of an org, and what their devices are asked to sign: that is asked
 * before anybody knows of which org they are, and so is of none.
 */
import { believed } from "./0002_statistics.ts"

export const passkeys: ReadonlyArray<string> = [
  `create table passkeys (
    org_id text not null references orgs (id),
    id text not null,
    staff_id text not null,
    public_key text not null,
    counter integer not null,
    name text not null,
    created_at integer not null,
    last_used_at integer,
    primary key (org_id, id)
  ) strict, without rowid`,
  "create unique index passkeys_by_id on passkeys (id)",
  "create index passkeys_of_person on passkeys (org_id, staff_id)",
  `create table passkey_challenges (
    digest text not null primary key,
    staff_id text,
    expires_at integer not null
  ) strict, without rowid`,
  "create index passkey_challenges_over on passkey_challenges (expires_at, digest)",
  ...believed([
    ["passkeys", "passkeys", 1e3, 5, 1],
    ["passkeys", "passkeys_by_id", 1e3, 1],
    ["passkeys", "passkeys_of_person", 1e3, 5, 2],
    ["passkey_challenges", "passkey_challenges", 1e3, 1],
    ["passkey_challenges", "passkey_challenges_over", 1e3, 1, 1]
  ])
]
