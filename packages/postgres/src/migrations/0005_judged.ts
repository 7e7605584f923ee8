/**
 * Up to when each place has been judged: which of its holds are over, whatever a
 * clock says.
 */

export const judged = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".offerings add column judged_at bigint not null default 0`,
  `alter table "${schema}".sessions add column judged_at bigint not null default 0`
]
