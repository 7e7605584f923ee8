/**
 * What an outfitter has the ops agent do, and what it proposes. Nobody's name stands
 * here: a letter greets a guest by a word that is filled in when it leaves.
 */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const agent = (schema: string): ReadonlyArray<string> => [
  `create table "${schema}".automations (
    org_id ${text} not null references "${schema}".orgs (id),
    automation ${text} not null check (automation in ('weather', 'fill', 'brief', 'reminders')),
    dial ${text} not null check (dial in ('off', 'ask', 'do_tell', 'do_quiet')),
    settings json not null check (json_typeof(settings) = 'object'),
    updated_at bigint,
    next_at bigint,
    fence bigint not null default 0,
    lease_until bigint,
    primary key (org_id, automation)
  )`,
  `create index automations_due on "${schema}".automations (next_at) where next_at is not null`,
  ...isolateTable(schema, "automations", "org_id"),

  `create table "${schema}".proposals (
    org_id ${text} not null references "${schema}".orgs (id),
    id ${text} not null,
    automation ${text} not null check (automation in ('weather', 'fill', 'brief', 'reminders')),
    subject ${text} not null,
    day bigint not null,
    status ${text} not null check (status in ('pending', 'done', 'failed', 'dismissed', 'expired', 'undone')),
    dial ${text} not null check (dial in ('ask', 'do_tell', 'do_quiet')),
    held ${text} check (held in ('cap', 'money')),
    title ${text} not null,
    session_id ${text},
    booking_id ${text},
    data json not null check (json_typeof(data) = 'object'),
    actions json not null check (json_typeof(actions) = 'array'),
    expires_at bigint not null,
    run_at bigint,
    created_at bigint not null,
    decided_at bigint,
    decided_by ${text} check (decided_by in ('dashboard', 'api', 'mcp', 'agent')),
    done_at bigint,
    error ${text},
    fence bigint not null default 0,
    lease_until bigint,
    primary key (org_id, id),
    check (run_at is null or status = 'pending'),
    check ((decided_at is null) = (decided_by is null))
  )`,
  `create unique index proposals_by_subject on "${schema}".proposals (org_id, automation, subject, day)`,
  `create index proposals_listed on "${schema}".proposals (org_id, created_at, id)`,
  `create index proposals_due on "${schema}".proposals (run_at) where run_at is not null`,
  `create index proposals_waiting on "${schema}".proposals (expires_at, id) where status = 'pending' and run_at is null`,
  `create index proposals_own on "${schema}".proposals (org_id, decided_at) where decided_by = 'agent'`,
  ...isolateTable(schema, "proposals", "org_id")
]
