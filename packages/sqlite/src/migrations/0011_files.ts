/**
 * Files of messages. Their bytes are elsewhere. A file that no message uses is
 * looked for by its age, among those of all orgs.
 */
import { believed } from "./0002_statistics.ts"

export const files: ReadonlyArray<string> = [
  `create table files (
    org_id text not null references orgs (id),
    id text not null,
    name text not null,
    size integer not null check (size >= 0),
    type text not null,
    created_at integer not null,
    message_id text,
    position integer not null check (position >= 0),
    primary key (org_id, id)
  ) strict`,
  "create index files_of_message on files (org_id, message_id, position) where message_id is not null",
  "create index files_unused on files (created_at, org_id, id) where message_id is null",

  ...believed([
    ["files", "sqlite_autoindex_files_1", 1e6, 1000, 1],
    ["files", "files_of_message", 1e6, 1000, 2, 1],
    ["files", "files_unused", 100, 1, 1, 1]
  ])
]
