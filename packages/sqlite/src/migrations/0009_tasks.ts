/**
 * What was the outbox are tasks: about anything, not a booking alone, each in a lane,
 * and kept when they were given up. What waits goes on waiting.
 */
import { believed } from "./0002_statistics.ts"

export const tasks: ReadonlyArray<string> = [
  `create table tasks (
    org_id text not null references orgs (id),
    id text not null,
    kind text not null,
    lane text not null,
    subject_id text not null,
    due_at integer not null,
    attempts integer not null check (attempts >= 0),
    last_error text,
    given_up_at integer,
    fence integer not null default 0 check (fence >= 0),
    lease_until integer,
    primary key (org_id, id)
  ) strict, without rowid`,
  `insert into tasks
    select org_id, id, kind, case kind when 'refund' then 'money' else 'mail' end, booking_id, due_at, attempts, last_error,
      null, fence, lease_until
    from outbox`,
  "drop table outbox",
  "create index tasks_due on tasks (lane, due_at, id) where given_up_at is null",
  "create index tasks_failed on tasks (org_id, id) where given_up_at is not null or attempts > 0",
  "delete from sqlite_stat1 where tbl = 'outbox'",
  ...believed([
    ["tasks", "tasks", 1e4, 10, 1],
    ["tasks", "tasks_due", 1e4, 2500, 2, 1],
    ["tasks", "tasks_failed", 100, 2, 1]
  ])
]
