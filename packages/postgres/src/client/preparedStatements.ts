/**
 * Checks that prepared statements persist between transactions. A transaction-mode pooler assigns a different session
 * to each transaction. If the pooler does not track prepared statements, they work without load but fail under load.
 */
import type { Connection } from "@trailbook/sql/Connection"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { getSqlState } from "../classifyError.ts"

/**
 * Fails with {@link PreparedStatementsLost} if prepared statements do not persist between transactions. The check prepares a statement on
 * one connection, ties up a session with the other, and runs the statement again. It ignores other errors, because the
 * next caller will receive them too.
 */
export const checkPreparedStatements = (
  acquireFirst: Effect.Effect<Connection, unknown, Scope.Scope>,
  acquireSecond: Effect.Effect<Connection, unknown, Scope.Scope>
): Effect.Effect<void, PreparedStatementsLost> =>
  Effect.scoped(Effect.gen(function*() {
    const first = yield* acquireFirst
    const second = yield* acquireSecond
    // The text is unique, so no session has prepared it before.
    const probe = first.run(`select '${randomUUID()}' as kept`, [])
    yield* probe
    yield* second.control("begin")
    yield* probe
    yield* second.control("rollback")
  })).pipe(
    Effect.catchAll((error) => error instanceof PreparedStatementsLost ? Effect.fail(error) : Effect.void)
  )

/** Reports a missing or duplicate prepared statement. */
export class PreparedStatementsLost extends Error {
  readonly code: string
  constructor(cause: unknown) {
    super(
      "prepared statements are lost between transactions, which happens behind a pooler in transaction mode. Let the " +
        "pooler track prepared statements (PgBouncer 1.21 or later: max_prepared_statements), or disable them: add " +
        "?prepare=off to the URL, or set prepare: false if you pass your own pool.",
      { cause }
    )
    this.code = getSqlState(cause)
  }
}

/**
 * Returns a {@link PreparedStatementsLost} if Postgres reported a missing or duplicate prepared statement. Otherwise,
 * returns the error unchanged.
 */
export const explainError = (error: unknown): unknown =>
  /^(26000|42P05)$/.test(getSqlState(error)) ? new PreparedStatementsLost(error) : error
