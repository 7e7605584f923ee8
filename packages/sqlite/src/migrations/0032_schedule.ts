/** Adds closures, and staff notes on sessions. */
import { addStatistics } from "./statistics.ts"

export const schedule: ReadonlyArray<string> = [
  `create table closures (
    org_id text not null references orgs (id),
    id text not null,
    from_date integer not null,
    to_date integer not null,
    start_time integer,
    end_time integer,
    offering_id text,
    reason text not null,
    created_at integer not null,
    primary key (org_id, id),
    foreign key (org_id, offering_id) references offerings (org_id, id)
  ) strict`,
  "create index closures_ending on closures (org_id, to_date)",
  "alter table sessions add column notes text not null default ''",
  ...addStatistics([
    ["closures", "sqlite_autoindex_closures_1", 2e4, 20, 1],
    ["closures", "closures_ending", 2e4, 20, 1]
  ])
]
