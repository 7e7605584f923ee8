/**
 * Passes hints through `@effect/sql-pg` to the client, which decide how a statement is sent and prepared. Also checks
 * that prepared statements persist between transactions. A transaction-mode pooler assigns a different session to each
 * transaction. If the pooler does not track prepared statements, they work without load but fail under load.
 */
import type { Connection } from "@trailbook/sql/Connection"
import type { StatementEncoder, StatementMode } from "@trailbook/sql/reservedConnection"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createHash, randomUUID } from "node:crypto"
import { getSqlState } from "../classifyError.ts"

/** How a statement is sent. */
export interface SendPlan {
  readonly how: StatementMode
  readonly text: string
  /** The name of the prepared statement, or `""` if it is not prepared. */
  readonly name: string
}

const markedTexts: Readonly<Record<StatementMode, Map<string, string>>> = {
  now: new Map(),
  later: new Map(),
  opens: new Map(),
  control: new Map(),
  foreign: new Map()
}

const plans = new Map<string, SendPlan>()

/**
 * Marks our statements with a comment that tells the client how to send them. The client removes the comment before it
 * sends a statement.
 */
export const hintedStatementEncoder: StatementEncoder = {
  text: (text, how) => {
    const existing = markedTexts[how].get(text)
    if (existing !== undefined) return existing
    const markedText = `${mark}${how} */ ${text}`
    // Do not cache the text, because a statement from the host application might not recur.
    if (how === "foreign") return markedText
    const name = how === "control" ? "" : `trailbook_${createHash("sha256").update(text).digest("hex").slice(0, 40)}`
    markedTexts[how].set(text, markedText)
    plans.set(markedText, { how, text, name })
    return markedText
  },
  values: (_, values) => values
}

const mark = "/* trailbook: "
const foreign = `${mark}foreign */ `

/** Returns how to send a marked text, or undefined if the text has no mark. */
export const findSendPlan = (text: string): SendPlan | undefined =>
  plans.get(text) ??
    (text.startsWith(foreign) ? { how: "foreign", text: text.slice(foreign.length), name: "" } : undefined)

/**
 * Fails with {@link PreparedStatementsLost} if prepared statements do not persist between transactions. The check
 * prepares a statement on one connection, ties up a session with the other, and runs the statement again. It ignores
 * other errors, because the next caller will receive them too.
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
class PreparedStatementsLost extends Error {
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
