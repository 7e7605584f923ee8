/**
 * Files of messages. Their bytes are elsewhere. A file that no message uses is
 * looked for by its age, among those of all orgs.
 */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const files = (schema: string): ReadonlyArray<string> => [
  `create table "${schema}".files (
    org_id ${text} not null references "${schema}".orgs (id),
    id ${text} not null,
    name ${text} not null,
    size bigint not null check (size >= 0),
    type ${text} not null,
    created_at bigint not null,
    message_id ${text},
    position bigint not null check (position >= 0),
    primary key (org_id, id)
  )`,
  `create index files_of_message on "${schema}".files (org_id, message_id, position) where message_id is not null`,
  `create index files_unused on "${schema}".files (created_at, org_id, id) where message_id is null`,
  ...isolateTable(schema, "files", "org_id")
]
