/**
 * Adds the time of the last notice to the staff about a guest's messages, and the first message that no notice contains
 * yet.
 */
export const messageNotices: ReadonlyArray<string> = [
  "alter table conversations add column noticed_at integer",
  "alter table conversations add column unnoticed_id text"
]
