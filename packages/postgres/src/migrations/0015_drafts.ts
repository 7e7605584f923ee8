/**
 * Drafts that were asked for, to be counted, and where what was said in a question
 * went when it was taken into another conversation.
 */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const drafts = (schema: string): ReadonlyArray<string> => [
  `create table "${schema}".drafts (
    org_id ${text} not null references "${schema}".orgs (id),
    id ${text} not null,
    at bigint not null,
    primary key (org_id, id)
  )`,
  ...isolateTable(schema, "drafts", "org_id"),
  `alter table "${schema}".conversations add column moved_to ${text}`
]
