/**
 * Adds the time of the last notice to the staff about a guest's messages, and the first message that no notice contains
 * yet.
 */
export const messageNotices = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".conversations add column noticed_at bigint, add column unnoticed_id text collate "C"`
]
