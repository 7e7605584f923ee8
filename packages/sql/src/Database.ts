/**
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Connection, Lane } from "./Connection.ts"
import type { Dialect, Value } from "./Dialect.ts"
import { attempts, CurrentTransaction, join, runIn, transact, type Transaction } from "./transaction.ts"

/**
 * The seam between the stores and a database. Texts are static, with `$1 … $n`
 * for values, and are the same for every database up to its `Dialect`.
 *
 * A failing statement is a defect: `DatabaseUnavailable`, or else
 * `StatementFailed`.
 *
 * @since 0.1.0
 * @category ports
 */
export class Database extends Context.Tag("@trailbook/sql/Database")<
  Database,
  {
    readonly dialect: Dialect
    /** Reads. Within a transaction it sees what that has written; outside it waits for none. */
    readonly query: <Row>(text: string, values?: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<Row>>
    /** Writes, and reads what it is `returning`. Outside a transaction it is one by itself. */
    readonly execute: <Row>(text: string, values?: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<Row>>
    /** Writes; once that is committed, no copy of what it overwrote is left in the database's files. */
    readonly erase: <Row>(text: string, values?: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<Row>>
    /** All or nothing. Within a transaction it joins that one, and when it fails undoes its own part. */
    readonly transaction: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Reads that all see one moment; within a transaction, what that sees. */
    readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {}

/**
 * What a database brings along.
 *
 * @since 0.1.0
 * @category models
 */
export interface Driver {
  readonly dialect: Dialect
  /** For reads outside transactions; it is never inside one. */
  readonly reader: Pick<Connection, "run">
  readonly units: Lane
  readonly snapshots: Lane
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ dialect, reader, snapshots, units }: Driver): Database["Type"] => {
  const attempt = attempts(dialect)
  const begin = transact(attempt, units)
  const beginSnapshot = transact(attempt, snapshots)

  const execute = <Row>(text: string, values?: ReadonlyArray<Value>): Effect.Effect<ReadonlyArray<Row>> =>
    inTransaction((current) =>
      current === undefined ? begin(execute<Row>(text, values)) : runIn<Row>(attempt, current, text, values)
    )
  const erase = <Row>(text: string, values?: ReadonlyArray<Value>): Effect.Effect<ReadonlyArray<Row>> =>
    inTransaction((current) => {
      if (current === undefined) return begin(erase<Row>(text, values))
      current.erases = true
      return runIn<Row>(attempt, current, text, values)
    })
  return {
    dialect,
    execute,
    erase,
    query: <Row>(text: string, values?: ReadonlyArray<Value>) =>
      inTransaction((current) =>
        current === undefined
          ? Effect.orDie(attempt(reader.run<Row>(text, values ?? []), text))
          : runIn<Row>(attempt, current, text, values)
      ),
    transaction: (work) =>
      inTransaction((current) => current === undefined ? begin(work) : join(attempt, current)(work)),
    snapshot: (reads) => inTransaction((current) => current === undefined ? beginSnapshot(reads) : reads)
  }
}

/** Asks the fiber for its transaction. One that outlives the transaction it was forked in is outside. */
const inTransaction = <A, E, R>(
  use: (current: Transaction | undefined) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.contextWithEffect((context: Context.Context<never>) => {
    const current = Context.getOption(context, CurrentTransaction)
    return use(current._tag === "Some" && current.value.open ? current.value : undefined)
  })
