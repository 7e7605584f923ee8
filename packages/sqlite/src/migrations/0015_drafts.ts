/**
 * Drafts that were asked for, to be counted, and where what was said in a question
 * went when it was taken into another conversation.
 */
import { believed } from "./0002_statistics.ts"

export const drafts: ReadonlyArray<string> = [
  `create table drafts (
    org_id text not null references orgs (id),
    id text not null,
    at integer not null,
    primary key (org_id, id)
  ) strict, without rowid`,
  "alter table conversations add column moved_to text",
  ...believed([["drafts", "drafts", 1e4, 10, 1]])
]
