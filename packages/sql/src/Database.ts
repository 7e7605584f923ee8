import { Actor } from "@trailbook/core/actor"
import { TenantScope } from "@trailbook/core/port"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { Connection, TransactionPool } from "./Connection.ts"
import type { Dialect, SqlValue } from "./Dialect.ts"
import {
  getCurrentTransaction,
  makeErrorClassifier,
  runInNewTransaction,
  runInSavepoint,
  runStatementInTransaction,
  type Transaction,
  writeInTransaction
} from "./transaction.ts"

/**
 * The interface between the stores and a database. Statements are static and use `$1 … $n` for values. Except for the
 * differences that `Dialect` covers, all databases run the same statements.
 *
 * A failed statement dies with `DatabaseUnavailable` or `StatementFailed`.
 */
export class Database extends Context.Tag("@trailbook/sql/Database")<
  Database,
  {
    readonly dialect: Dialect
    /**
     * Reads rows. Inside a transaction, the read includes that transaction's writes. Outside a transaction, the read
     * never waits for a transaction.
     */
    readonly query: Query
    /** Reads a few rows by a unique key. Lookups can share a round trip, so a slow lookup would delay the others. */
    readonly lookup: Query
    /**
     * Writes rows. Outside a transaction, the write runs in a new one. Inside a transaction, a failure may not surface
     * until the next statement with a result, or until the commit.
     */
    readonly write: (text: string, values?: ReadonlyArray<SqlValue>) => Effect.Effect<void>
    /**
     * Writes rows and returns the rows of the `returning` clause. Outside a transaction, the statement runs in a new
     * one.
     */
    readonly execute: <Row>(text: string, values?: ReadonlyArray<SqlValue>) => Effect.Effect<ReadonlyArray<Row>>
    /** Like `write`, but the database files contain no copy of the overwritten data after the commit. */
    readonly erase: (text: string, values?: ReadonlyArray<SqlValue>) => Effect.Effect<void>
    /**
     * Runs work atomically. Inside a transaction, the work runs under a savepoint, so a failure rolls back only the
     * work.
     */
    readonly transaction: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Runs work in the current transaction without a savepoint, or in a new transaction. If the work fails, the whole
     * transaction fails.
     */
    readonly inOneTransaction: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Runs reads on one snapshot. Inside a transaction, the reads include that transaction's writes. */
    readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Dies if the fiber is in a transaction that a new one would wait for. */
    readonly assertCanWait: Effect.Effect<void>
    /** The connection pools with their current counts. SQLite has no pools. */
    readonly pools: Readonly<Record<string, PoolCounts>>
  }
>() {}

export interface PoolCounts {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

type Query = <Row>(text: string, values?: ReadonlyArray<SqlValue>) => Effect.Effect<ReadonlyArray<Row>>

/** Runs a read. The function is called only when the read must run, so it can read immediately and return an exit. */
type Reader = <Row>(
  text: string,
  values: ReadonlyArray<SqlValue>,
  tenants: ReadonlyArray<string> | undefined
) => Effect.Effect<ReadonlyArray<Row>, unknown>

/** The database-specific parts of `Database`. */
export interface Driver<C extends Connection = Connection> {
  readonly dialect: Dialect
  /** A pool for reads outside transactions. `tenants` works as in a `Lane`. */
  readonly reader: {
    readonly run: Reader
    /** Runs lookups. Default: `run`. */
    readonly lookup?: Reader
  }
  readonly units: TransactionPool<C>
  readonly snapshots: TransactionPool<C>
  /** Default: does nothing, because a new transaction never waits for its fiber's current transaction. */
  readonly assertCanWait?: Effect.Effect<void>
  readonly pools?: Readonly<Record<string, PoolCounts>>
}

export const make = <C extends Connection>(
  { assertCanWait = Effect.void, dialect, pools = {}, reader, snapshots, units }: Driver<C>
): Database["Type"] => {
  const classify = makeErrorClassifier(dialect)
  const begin = runInNewTransaction(classify, units)
  const beginSnapshot = runInNewTransaction(classify, snapshots)

  const execute = <Row>(text: string, values?: ReadonlyArray<SqlValue>): Effect.Effect<ReadonlyArray<Row>> =>
    withCurrentTransaction((current, tenants) =>
      current === undefined
        ? begin(execute<Row>(text, values), tenants)
        : runStatementInTransaction<Row>(classify, current, text, values)
    )
  const write = (text: string, values?: ReadonlyArray<SqlValue>): Effect.Effect<void> =>
    withCurrentTransaction((current, tenants) =>
      current === undefined ? begin(write(text, values), tenants) : writeInTransaction(classify, current, text, values)
    )
  const erase = (text: string, values?: ReadonlyArray<SqlValue>): Effect.Effect<void> =>
    withCurrentTransaction((current, tenants) => {
      if (current === undefined) return begin(erase(text, values), tenants)
      current.erases = true
      return writeInTransaction(classify, current, text, values)
    })
  const makeQuery = (readRows: Reader): Query => <Row>(text: string, values: ReadonlyArray<SqlValue> = []) =>
    withCurrentTransaction((current, tenants) => {
      if (current !== undefined) return runStatementInTransaction<Row>(classify, current, text, values)
      const rows = readRows<Row>(text, values, tenants)
      return isSuccess(rows) ? rows : Effect.catchAll(rows, (cause) => Effect.die(classify(cause, text)))
    })
  return {
    assertCanWait,
    pools,
    dialect,
    write,
    execute,
    erase,
    query: makeQuery(reader.run),
    lookup: makeQuery(reader.lookup ?? reader.run),
    transaction: (work) =>
      withCurrentTransaction((current, tenants) =>
        current === undefined ? begin(work, tenants) : runInSavepoint(classify, current)(work)
      ),
    inOneTransaction: (work) =>
      withCurrentTransaction((current, tenants) => current === undefined ? begin(work, tenants) : work),
    snapshot: (reads) =>
      withCurrentTransaction((current, tenants) => current === undefined ? beginSnapshot(reads, tenants) : reads)
  }
}

const isSuccess = <A>(effect: Effect.Effect<A, unknown>): effect is Exit.Success<A, never> =>
  Exit.isExit(effect) && Exit.isSuccess(effect)

/** Calls a function with the current fiber's transaction and tenant scope. */
const withCurrentTransaction = <A, E, R>(
  use: (current: Transaction | undefined, tenants: ReadonlyArray<string> | undefined) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime(({ currentContext }) =>
    use(getCurrentTransaction(currentContext), getTenantScope(currentContext))
  )

/** Returns the orgs that a fiber with this context can access, or undefined for all orgs. */
export const getTenantScope = (context: Context.Context<never>): ReadonlyArray<string> | undefined => {
  const tenants = Context.getOption(context, TenantScope)
  if (tenants._tag === "Some") return tenants.value
  const actor = Context.getOption(context, Actor)
  return actor._tag === "Some" ? [actor.value.orgId] : undefined
}

/** Creates a port's layer. `make` implements the port on the database. */
export const storeLayer = <Port, A>(
  port: Context.Tag<Port, A>,
  make: (database: Database["Type"]) => NoInfer<A>
): Layer.Layer<Port, never, Database> => Layer.effect(port, Effect.map(Database, make))
