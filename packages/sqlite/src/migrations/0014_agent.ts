/**
 * What an outfitter has the ops agent do, and what it proposes. Nobody's name stands
 * here: a letter greets a guest by a word that is filled in when it leaves.
 */
import { believed } from "./0002_statistics.ts"

export const agent: ReadonlyArray<string> = [
  `create table automations (
    org_id text not null references orgs (id),
    automation text not null check (automation in ('weather', 'fill', 'brief', 'reminders')),
    dial text not null check (dial in ('off', 'ask', 'do_tell', 'do_quiet')),
    settings text not null check (json_type(settings) = 'object'),
    updated_at integer,
    next_at integer,
    fence integer not null default 0,
    lease_until integer,
    primary key (org_id, automation)
  ) strict, without rowid`,
  "create index automations_due on automations (next_at) where next_at is not null",

  `create table proposals (
    org_id text not null references orgs (id),
    id text not null,
    automation text not null check (automation in ('weather', 'fill', 'brief', 'reminders')),
    subject text not null,
    day integer not null,
    status text not null check (status in ('pending', 'done', 'failed', 'dismissed', 'expired', 'undone')),
    dial text not null check (dial in ('ask', 'do_tell', 'do_quiet')),
    held text check (held in ('cap', 'money')),
    title text not null,
    session_id text,
    booking_id text,
    data text not null check (json_type(data) = 'object'),
    actions text not null check (json_type(actions) = 'array'),
    expires_at integer not null,
    run_at integer,
    created_at integer not null,
    decided_at integer,
    decided_by text check (decided_by in ('dashboard', 'api', 'mcp', 'agent')),
    done_at integer,
    error text,
    fence integer not null default 0,
    lease_until integer,
    primary key (org_id, id),
    check (run_at is null or status = 'pending'),
    check ((decided_at is null) = (decided_by is null))
  ) strict`,
  "create unique index proposals_by_subject on proposals (org_id, automation, subject, day)",
  "create index proposals_listed on proposals (org_id, created_at, id)",
  "create index proposals_due on proposals (run_at) where run_at is not null",
  "create index proposals_waiting on proposals (expires_at, id) where status = 'pending' and run_at is null",
  "create index proposals_own on proposals (org_id, decided_at) where decided_by = 'agent'",
  ...believed([
    ["automations", "automations", 4e3, 4, 1],
    ["automations", "automations_due", 3e3, 2],
    ["proposals", "sqlite_autoindex_proposals_1", 1e6, 1000, 1],
    ["proposals", "proposals_by_subject", 1e6, 1000, 250, 2, 1],
    ["proposals", "proposals_listed", 1e6, 1000, 1, 1],
    ["proposals", "proposals_due", 100, 1],
    ["proposals", "proposals_waiting", 1e4, 2, 1],
    ["proposals", "proposals_own", 5e5, 500, 1]
  ])
]
