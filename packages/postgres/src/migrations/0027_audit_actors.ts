/**
 * The API key or application that made a change. Before, the audit list recorded applications only if they ended
 * their own grant, which is the subject of the entry.
 */
const text = `text collate "C"`

export const auditActors = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".audit add column by_id ${text}`,
  `update "${schema}".audit set by_id = subject where by_kind = 'Application'`
]
