/**
 * @since 0.1.0
 */
import type { Connection } from "@effect/sql/SqlConnection"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Dialect, Value } from "./Dialect.ts"
import { CurrentTransaction, type Lane, statement, type Statement, transact, type Transaction } from "./transaction.ts"

/**
 * The seam between the stores and a database. Texts are static, with `$1 … $n`
 * for values, and are the same for every database up to its {@link Dialect}.
 *
 * Statements go straight to the library's connection. Its `sql` templates are not
 * used: each costs a span, a scope and the compiling of its text, 74 µs where
 * 10 to 20 do, and a request is little more than its statements.
 *
 * A failing statement is a defect: `DatabaseUnavailable`, or else the library's
 * `SqlError`. A unit of work in which one failed never commits, even if the
 * defect was caught.
 *
 * @since 0.1.0
 * @category ports
 */
export class Database extends Context.Tag("@trailbook/sql/Database")<
  Database,
  {
    readonly dialect: Dialect
    /** Reads. Within a unit of work it sees what that has written; outside it waits for none. */
    readonly query: <Row>(text: string, values?: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<Row>>
    /** Writes, and reads what it `returning` says. Outside a unit of work it is one by itself. */
    readonly execute: <Row>(text: string, values?: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<Row>>
    /** Writes; once that is committed, no copy of what it overwrote is left in the database's files. */
    readonly erase: (text: string, values?: ReadonlyArray<Value>) => Effect.Effect<void>
    /** All or nothing; within a transaction it joins that one and can fail by itself. */
    readonly transaction: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Reads that all see one moment; within a transaction that of the transaction. */
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
  /** For reads outside units of work; it is never inside a transaction. */
  readonly reader: Connection
  readonly writing: Lane
  readonly snapshots: Lane
  /** Removes overwritten bytes from the files, on the connection that has just committed. */
  readonly wipe: (connection: Connection) => Effect.Effect<void>
}

const none: ReadonlyArray<Value> = []

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ dialect, reader, snapshots, wipe, writing }: Driver): Database["Type"] => {
  const run = statement(dialect)
  const inside = <A>(use: (transaction: Transaction | undefined) => Effect.Effect<A>): Effect.Effect<A> =>
    Effect.contextWithEffect((context: Context.Context<never>) => {
      const current = Context.getOption(context, CurrentTransaction)
      // A fiber that outlives the unit of work it was forked in is outside.
      return use(current._tag === "Some" && current.value.open ? current.value : undefined)
    })

  const query: Statement = (text, values = none) =>
    inside((transaction) => transaction === undefined ? run(reader, text, values) : transaction.run(text, values))
  const execute: Statement = (text, values = none) =>
    inside((transaction) =>
      transaction === undefined ? transaction_(execute(text, values)) : transaction.run(text, values)
    )
}
