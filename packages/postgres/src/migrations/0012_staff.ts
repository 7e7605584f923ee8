/** The people of an org and their addresses. */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const staff = (schema: string): ReadonlyArray<string> => [
  `create table "${schema}".staff (
    org_id ${text} not null references "${schema}".orgs (id),
    id ${text} not null,
    email ${text} not null,
    name ${text} not null,
    notify boolean not null,
    created_at bigint not null,
    primary key (org_id, id)
  )`,
  `create unique index staff_by_email on "${schema}".staff (org_id, email)`,
  ...isolateTable(schema, "staff", "org_id")
]
