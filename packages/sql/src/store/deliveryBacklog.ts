/**
 * Tracks which orgs have events to deliver, with a mark on their event counters.
 *
 * Workers poll several times per second, and nearly always no event is pending. So they do not compare the cursor of
 * every endpoint with the log of its org, but read an index of marked counters. A counter is marked when its endpoints
 * get work: by the statement that counts a new event, by a rewind, and by the delivery that ends a stop. The worker
 * that finds no remaining backlog clears the mark.
 *
 * A stale mark costs one check of the endpoints of an org. A missing mark would delay events until the next one. So
 * marks are set and cleared while the counter is locked, and the backlog is read under that lock.
 */
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import type { Dialect } from "../Dialect.ts"
import { forUpdateSkipLocked } from "../jsonParameter.ts"

/** A condition: the endpoint `w` has not received the newest event of its org, or stopped at an older one. */
export const hasBacklog = "w.active and coalesce(w.stopped_at, w.cursor) < counter.last"

/** Marks an org in a transaction that has changed one of its endpoints. */
export const markBacklog = ({ dialect, write }: Database["Type"]) => {
  // Updates the counter even if it is marked, to wait for a transaction that is about to clear the mark.
  const text = `update ${dialect.table("event_counters")} set undelivered = true where org_id = $1`
  return (orgId: string): Effect.Effect<void> => write(text, [orgId])
}

/** A condition: the counter is marked, but no endpoint has a backlog. */
export const isServed = ({ table }: Dialect): string =>
  `counter.undelivered and not exists (
    select 1 from ${table("webhooks")} w where w.org_id = counter.org_id and ${hasBacklog}
  )`

/**
 * Clears the marks of orgs without a backlog, after checking again. Locked counters are skipped, because they are about
 * to be marked again.
 */
export const unmark = ({ dialect, execute, transaction, write }: Database["Type"]) => {
  const counters = dialect.table("event_counters")
  const among = `counter.org_id in (select org_id from ${dialect.records("$1", { org_id: "text" })} as asked)`
  const lock = `select counter.org_id from ${counters} counter where ${among}
    order by counter.org_id${forUpdateSkipLocked(dialect, "counter")}`
  // Sets null if the org has no endpoint anymore, so that new events do not mark it.
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
