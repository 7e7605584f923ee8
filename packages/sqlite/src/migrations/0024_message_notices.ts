/**
 * When the staff were last notified of a guest's messages, and the first message that is in no notice yet.
 */
export const messageNotices: ReadonlyArray<string> = [
  "alter table conversations add column noticed_at integer",
  "alter table conversations add column unnoticed_id text"
]
