/** Adds closures, and staff notes on sessions. */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const schedule = (schema: string): ReadonlyArray<string> => {
  const table = (name: string) => `"${schema}".${name}`
  return [
    `create table ${table("closures")} (
      org_id ${text} not null references ${table("orgs")} (id),
      id ${text} not null,
      from_date bigint not null,
      to_date bigint not null,
      start_time bigint,
      end_time bigint,
      offering_id ${text},
      reason ${text} not null,
      created_at bigint not null,
      primary key (org_id, id),
      foreign key (org_id, offering_id) references ${table("offerings")} (org_id, id)
    )`,
    `create index closures_ending on ${table("closures")} (org_id, to_date)`,
    ...isolateTable(schema, "closures", "org_id"),
    `alter table ${table("sessions")} add column notes ${text} not null default ''`
  ]
}
