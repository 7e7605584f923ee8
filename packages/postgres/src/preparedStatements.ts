/**
 * Whether what a connection has prepared is there the next time. A pooler in
 * transaction mode gives each transaction another session; unless it follows
 * prepared statements, each of them fails as soon as there is some traffic, and
 * works as long as there is none.
 */
import type { Connection } from "@trailbook/sql/Connection"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { sqlState } from "./classifyError.ts"

/**
 * Fails with {@link PoolerDropsPrepared} when statements do not stay prepared: what one
 * connection has prepared it runs again while the session that it had is kept by
 * another one. Anything else that fails here is left for whoever meets it.
 */
export const checkPreparedSurvive = (
  one: Effect.Effect<Connection, unknown, Scope.Scope>,
  other: Effect.Effect<Connection, unknown, Scope.Scope>
): Effect.Effect<void, PoolerDropsPrepared> =>
  Effect.scoped(Effect.gen(function*() {
    const first = yield* one
    const second = yield* other
    // Nobody has prepared it before, in whichever session.
    const prepared = first.run(`select '${randomUUID()}' as kept`, [])
    yield* prepared
    yield* second.control("begin")
    yield* prepared
    yield* second.control("rollback")
  })).pipe(
    Effect.catchAll((error) => error instanceof PoolerDropsPrepared ? Effect.fail(error) : Effect.void)
  )

/** A statement that was prepared is not there any more, or is there already. */
export class PoolerDropsPrepared extends Error {
  readonly code: string
  constructor(cause: unknown) {
    super(
      "prepared statements do not stay where they were made, as behind a pooler in transaction mode. Let it follow them " +
        "(PgBouncer from 1.21: max_prepared_statements), or do without: end the address with ?prepare=off, and say " +
        "prepare: false with a pool of your own.",
      { cause }
    )
    this.code = sqlState(cause)
  }
}

/** What an error says of that, or the error itself. */
export const explainError = (error: unknown): unknown =>
  /^(26000|42P05)$/.test(sqlState(error)) ? new PoolerDropsPrepared(error) : error
