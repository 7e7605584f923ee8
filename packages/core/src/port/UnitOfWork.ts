import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Predicate from "effect/Predicate"
import type { QueryRunner } from "../concurrency/scheduler.ts"

/**
 * Runs transactions. If `work` succeeds, all of its changes become visible together. If `work` fails with an error, a
 * defect, or an interruption, all changes are rolled back. A transaction calls no external services, so the storage may
 * rerun `work` after a conflict.
 *
 * **Interruption.** Work can be interrupted both while it waits and while it runs. The interruption completes after the
 * rollback. An interruption during a commit waits for the commit, and the changes are stored. If the response to a
 * commit is lost, the outcome of the commit is unknown. The transaction then dies and is not rerun.
 *
 * **Outside a transaction,** every call to a store is a separate transaction. It reads committed data, stores all of
 * its rows or none, and keeps no locks.
 *
 * **Fibers.** A fiber forked inside a transaction belongs to it until the transaction ends. After that, the storage
 * rejects the fiber's writes or runs them in separate transactions, but never loses a confirmed write. The results of
 * the fiber's reads are then undefined.
 *
 * **Defects.** If the database is unreachable or a lock wait times out, the transaction dies with a defect whose `_tag`
 * is `DatabaseUnavailable`. After a lock timeout, the defect has `contended: true`. The caller receives the refusal
 * `unavailable` and may retry. Every other defect is a bug.
 */
export class UnitOfWork extends Context.Tag("@trailbook/core/UnitOfWork")<
  UnitOfWork,
  {
    /**
     * Runs `work` in a transaction, or under a savepoint of the surrounding transaction. If the work fails, its changes
     * are undone, even if the surrounding work continues. Locks taken by `work` can last until the outer transaction
     * ends.
     */
    readonly run: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Runs reads in one snapshot without blocking writers. Inside a transaction, the reads include that transaction's
     * changes. A write dies and has no effect, even in a nested `run`. An adapter may reject a nested `run`
     * immediately.
     */
    readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Runs independent queries. In-process storage uses `sequential`, and remote storage uses `parallel`. */
    readonly queryAll: QueryRunner
    /**
     * Runs single-statement queries in the given order. Each statement starts after the previous one has ended. Remote
     * storage uses `pipeline`, which takes a single round trip. Works only inside a transaction.
     */
    readonly queryInOrder: QueryRunner
    /**
     * Dies if the fiber is in a transaction and a new transaction would wait for it. Check this before passing work to
     * another fiber, because the storage cannot detect the caller's transaction in that fiber.
     */
    readonly assertCanWait: Effect.Effect<void>
  }
>() {}

/** A transaction that encloses the current work but was not started by it. */
export interface EnclosingTransaction {
  /**
   * `host` means that the host application started the transaction and will end it. The transaction's locks last until
   * then. Work inside the transaction must therefore not wait for a permit, because the permit's owner may be waiting
   * for these locks. It must not call a payment provider either.
   */
  readonly owner: "engine" | "host"
  /**
   * If this function is set, chunked work is only started in this transaction, and the function receives the job's ID.
   * The owner finishes the work after the commit, so that no locks are held in the meantime.
   */
  readonly onJobStarted?: ((id: string) => void) | undefined
}

/**
 * The transaction that encloses the current work. If undefined, the work starts its own transactions and can share one
 * with other requests.
 */
export class TransactionContext extends Context.Reference<TransactionContext>()("@trailbook/core/TransactionContext", {
  defaultValue: (): EnclosingTransaction | undefined => undefined
}) {}

/**
 * The IDs of the orgs that the current work can access. The scope is set for work without an `Actor`, such as a batch.
 * An adapter may block access to all other orgs. Work without a scope and without an actor, such as a cleanup or a key
 * lookup, belongs to the engine and can access all orgs.
 */
export class TenantScope extends Context.Tag("@trailbook/core/TenantScope")<TenantScope, ReadonlyArray<string>>() {}

/**
 * An operation that a replica can serve. It only reads, and it starts only once all writes that it must see have been
 * acknowledged. Storage with replicas keeps the read position here, so that all reads of the operation are consistent.
 */
export interface ReplicaRead {
  /** The primary's position, looked up at the operation's first read. Undefined until then. */
  position: number | undefined
}

/** The fiber's operation, if a replica can serve it. */
export const currentReplicaRead: FiberRef.FiberRef<ReplicaRead | undefined> = FiberRef.unsafeMake<
  ReplicaRead | undefined
>(
  undefined
)

/**
 * Retries a transaction after a defect, by default at most twice. If two transactions insert the same unique key, the
 * failed transaction is retried and finds the other transaction's row. Refusals are not retried. A database outage is
 * not retried either, because the caller would wait three times as long.
 */
export const retryOnConflict = <A, E, R>(work: Effect.Effect<A, E, R>, times = 2): Effect.Effect<A, E, R> =>
  Effect.unsandbox(
    Effect.retry(Effect.sandbox(work), {
      times,
      while: (cause) => Cause.isDie(cause) && classifyUnavailability(cause) === undefined
    })
  )

/**
 * Returns `database` if the work failed because the database is unavailable, and `place` if it failed because of a lock
 * conflict. Core imports no storage adapter, so the function checks the defect's tag, the same way the `http` package
 * does.
 */
export const classifyUnavailability = (cause: Cause.Cause<unknown>): "database" | "place" | undefined => {
  const defect = [...Cause.defects(cause)].find(Predicate.isTagged("DatabaseUnavailable"))
  if (defect === undefined) return undefined
  return Predicate.hasProperty(defect, "contended") && defect.contended === true ? "place" : "database"
}
