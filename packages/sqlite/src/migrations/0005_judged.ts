/**
 * Up to when each place has been judged: which of its holds are over, whatever a
 * clock says.
 */

/**
 * @category migrations
 */
export const judged: ReadonlyArray<string> = [
  "alter table offerings add column judged_at integer not null default 0",
  "alter table sessions add column judged_at integer not null default 0"
]
