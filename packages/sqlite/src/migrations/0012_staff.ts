/**
 * The people of an org and their addresses.
 */
import { believed } from "./0002_statistics.ts"

export const staff: ReadonlyArray<string> = [
  `create table staff (
    org_id text not null references orgs (id),
    id text not null,
    email text not null,
    name text not null,
    notify integer not null check (notify in (0, 1)),
    created_at integer not null,
    primary key (org_id, id)
  ) strict, without rowid`,
  "create unique index staff_by_email on staff (org_id, email)",
  ...believed([
    ["staff", "staff", 1e3, 5, 1],
    ["staff", "staff_by_email", 1e3, 5, 1]
  ])
]
