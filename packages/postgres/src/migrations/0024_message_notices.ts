/** When the staff were last notified of a guest's messages, and the first message that is in no notice yet. */
export const messageNotices = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".conversations add column noticed_at bigint, add column unnoticed_id text collate "C"`
]
