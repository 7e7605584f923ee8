/**
 * The API key or application that made a change. Before, the audit list recorded applications only if they ended
 * their own grant, which is the subject of the entry.
 */
export const auditActors: ReadonlyArray<string> = [
  "alter table audit add column by_id text",
  "update audit set by_id = subject where by_kind = 'Application'"
]
