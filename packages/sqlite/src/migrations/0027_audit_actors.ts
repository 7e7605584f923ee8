/**
 * Adds the API key or application that made a change. Before this migration, the audit log recorded an application only
 * when it ended its own grant. In that case, the subject of the entry is the application.
 */
export const auditActors: ReadonlyArray<string> = [
  "alter table audit add column by_id text",
  "update audit set by_id = subject where by_kind = 'Application'"
]
