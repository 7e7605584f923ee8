/**
 * Work of ours that is under way in a transaction of a host. A row says that it
 * has not ended, and refers to nothing: a commit looks at that, and finds it. So a
 * host that commits before our work is done, because it was not awaited, has not
 * stored half of it; its commit fails by this constraint, and all is undone. The
 * row is taken away when the work has ended, and is never to be seen.
 */

export const hosted = (schema: string): ReadonlyArray<string> => [
  `create table "${schema}".hosted_units (
    id bigint generated always as identity primary key,
    ended bigint not null constraint await_trailbook_before_commit
      references "${schema}".hosted_units (id) deferrable initially deferred
  )`
]
