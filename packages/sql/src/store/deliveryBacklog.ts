/**
 * Which orgs have something to deliver, as their event counters say it.
 *
 * Workers ask several times a second, and nearly always there is nothing. So they
 * do not compare the place of every endpoint with its org's log, but look into an
 * index of the counters that are marked. Whoever gives an endpoint something to do
 * marks its org's counter: a new event, in the statement that counts it; a
 * rewinding; and the delivery that ends a stop. The mark is taken away by the
 * worker that finds nothing left to do behind it.
 *
 * A mark that is there for nothing costs a look at the endpoints of one org. One
 * that is missing would leave events undelivered until the next one, so it is set
 * and taken away under the lock of the counter, and what is behind it is read when
 * the lock is there.
 */
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import type { Dialect } from "../Dialect.ts"
import { forUpdateSkipLocked } from "../jsonParameter.ts"

/**
 * A condition: the endpoint `w` has not had the newest event of its org, or is
 * stopped at an older one.
 */
export const hasBacklog = "w.active and coalesce(w.stopped_at, w.cursor) < counter.last"

/** Marks an org in a unit of work that has changed one of its endpoints. */
export const markBacklog = ({ dialect, write }: Database["Type"]) => {
  // Also when it is marked: somebody may be about to take the mark away, and has to be waited for.
  const text = `update ${dialect.table("event_counters")} set undelivered = true where org_id = $1`
  return (orgId: string): Effect.Effect<void> => write(text, [orgId])
}

/** A condition: the counter is marked, and nothing is behind it. */
export const isServed = ({ table }: Dialect): string =>
  `counter.undelivered and not exists (
    select 1 from ${table("webhooks")} w where w.org_id = counter.org_id and ${hasBacklog}
  )`

/**
 * Takes away the marks of orgs that were seen to be served, where they still are.
 * A counter that is locked is about to be marked again, and nobody waits for it.
 */
export const unmark = ({ dialect, execute, transaction, write }: Database["Type"]) => {
  const counters = dialect.table("event_counters")
  const among = `counter.org_id in (select org_id from ${dialect.records("$1", { org_id: "text" })} as asked)`
  const lock = `select counter.org_id from ${counters} counter where ${among}
    order by counter.org_id${forUpdateSkipLocked(dialect, "counter")}`
  // Once its last endpoint is gone, an org is marked no more.
  const clear = `update ${counters} as counter set undelivered = case
      when exists (select 1 from ${dialect.table("webhooks")} w where w.org_id = counter.org_id) then false
    end
    where ${among} and ${isServed(dialect)}`
  return (orgIds: ReadonlyArray<string>): Effect.Effect<void> =>
    transaction(
      Effect.flatMap(
        execute<{ readonly org_id: string }>(lock, [JSON.stringify(orgIds.map((org_id) => ({ org_id })))]),
        (locked) => locked.length === 0 ? Effect.void : write(clear, [JSON.stringify(locked)])
      )
    )
}
