/** Adds the assistants' tool calls. */
import { addStatistics } from "./statistics.ts"

export const assistantCalls: ReadonlyArray<string> = [
  `create table assistant_calls (
    org_id text not null references orgs (id),
    id text not null,
    at integer not null,
    caller_kind text not null,
    caller_id text not null,
    operation text not null,
    outcome text not null,
    booking_id text,
    primary key (org_id, id)
  ) strict`,
  "create index assistant_calls_by_time on assistant_calls (org_id, at, id)",
  "create index assistant_calls_over on assistant_calls (at)",
  ...addStatistics([
    ["assistant_calls", "sqlite_autoindex_assistant_calls_1", 1e6, 1e3, 1],
    ["assistant_calls", "assistant_calls_by_time", 1e6, 1e3, 1, 1],
    ["assistant_calls", "assistant_calls_over", 1e6, 1]
  ])
]
