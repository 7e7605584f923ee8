/**
 * What was the outbox are tasks: about anything, not a booking alone, each in a lane,
 * and kept when they were given up. What waits goes on waiting.
 */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const tasks = (schema: string): ReadonlyArray<string> => {
  const table = (name: string) => `"${schema}".${name}`
  return [
    `create table ${table("tasks")} (
      org_id ${text} not null references ${table("orgs")} (id),
      id ${text} not null,
      kind ${text} not null,
      lane ${text} not null,
      subject_id ${text} not null,
      due_at bigint not null,
      attempts bigint not null check (attempts >= 0),
      last_error ${text},
      given_up_at bigint,
      fence bigint not null default 0 check (fence >= 0),
      lease_until bigint,
      primary key (org_id, id)
    )`,
    `insert into ${table("tasks")}
      select org_id, id, kind, case kind when 'refund' then 'money' else 'mail' end, booking_id, due_at, attempts, last_error,
        null, fence, lease_until
      from ${table("outbox")}`,
    `drop table ${table("outbox")}`,
    `create index tasks_due on ${table("tasks")} (lane, due_at, id) where given_up_at is null`,
    `create index tasks_failed on ${table("tasks")} (org_id, id) where given_up_at is not null or attempts > 0`,
    ...isolateTable(schema, "tasks", "org_id")
  ]
}
