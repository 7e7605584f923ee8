/**
 * Runs work inside the host application's transaction. The work commits or rolls back with that transaction.
 *
 * The work runs under a savepoint, so its failure does not affect the rest of the transaction. It takes its usual locks
 * in the usual order, and the transaction holds them until the host commits. The lock on the org's event counter blocks
 * all of the org's other writers. The host should therefore do its own work first, call Trailbook last, and commit
 * right after.
 */
import { TransactionConnection } from "@effect/sql/SqlClient"
import { TransactionContext } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import { type Connection, EarlierStatementFailed } from "@trailbook/sql/Connection"
import * as Database from "@trailbook/sql/Database"
import { StatementFailed } from "@trailbook/sql/DatabaseUnavailable"
import type { SqlValue } from "@trailbook/sql/Dialect"
import { type HostTransactions, UnsupportedTransaction } from "@trailbook/sql/HostTransactions"
import { runUninterruptibly, unwrapDriverError } from "@trailbook/sql/reservedConnection"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import {
  CurrentTransaction,
  getCurrentTransaction,
  makeErrorClassifier,
  makeTransaction,
  runInSavepoint,
  runStatementInTransaction,
  writeInTransaction
} from "@trailbook/sql/transaction"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { getSqlState } from "./classifyError.ts"
import { getSchemaName, makeDialect, type PostgresOptions, usesRowSecurity } from "./dialect.ts"
import { encodeOrgIds } from "./rowSecurity.ts"
import { getHostTransactionSetting, makeHostTransactionStatements } from "./transactionSettings.ts"

export { UnsupportedTransaction } from "@trailbook/sql/HostTransactions"

/** A transaction that the host application opens and closes on its own connection. */
export interface HostTransaction {
  /** Runs a statement in the transaction, with values for `$1 … $n`, and returns its rows as objects. */
  readonly query: (
    text: string,
    values: ReadonlyArray<SqlValue>
  ) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
  /**
   * The transaction's connection. Two objects with the same connection belong to the same transaction. Defaults to the
   * object itself.
   */
  readonly connection?: object | undefined
}

/**
 * All storage ports for work that {@link runInHostTransaction} runs. This layer has no connection, so a fiber that uses
 * it outside a host transaction dies.
 */
export const layer = (options: Pick<PostgresOptions, "schema">): Layer.Layer<Storage | Database.Database> => {
  const dieOutside = Effect.dieMessage("Invariant violated: host storage used outside a host transaction")
  const lane = { acquire: dieOutside, begin: () => dieOutside, truncateLog: () => dieOutside }
  const database = Database.make({
    dialect: makeDialect(getSchemaName(options)),
    reader: { run: () => dieOutside },
    units: lane,
    snapshots: lane
  })
  return Layer.provideMerge(SqlStorage.layer, Layer.succeed(Database.Database, database))
}

/**
 * Runs work in the host's transaction under a savepoint. It can access the orgs in `tenants`, or all orgs if `tenants`
 * is undefined. Afterward, the function restores the settings of the host's transaction, except `synchronous_commit`,
 * because sales must be on disk when the host's commit returns. If the host commits before the work has finished, the
 * commit fails and the transaction is rolled back.
 *
 * Work for the same transaction runs sequentially.
 */
export const runInHostTransaction =
  (host: HostTransaction, options: Pick<PostgresOptions, "schema" | "rowSecurity"> = {}) =>
  <A, E, R>(
    work: Effect.Effect<A, E, R>,
    tenants: ReadonlyArray<string> | undefined
  ): Effect.Effect<A, E | UnsupportedTransaction, R> =>
    getSemaphore(host.connection ?? host).withPermits(1)(Effect.suspend(() => {
      const schema = getSchemaName(options)
      const classify = makeErrorClassifier(makeDialect(schema))
      const transaction = makeTransaction(makeHostConnection(host, schema))
      const run = <Row>(text: string, values: ReadonlyArray<SqlValue>) =>
        runStatementInTransaction<Row>(classify, transaction, text, values)
      const { begin, end, enter, leave } = makeHostTransactionStatements(schema)
      const orgs = encodeOrgIds(usesRowSecurity(options) ? tenants : undefined)
      let hasEntered = false

      const unit = Effect.gen(function*() {
        const [settings] = yield* run<{ readonly before: string; readonly isolation: string }>(enter, [orgs])
        if (settings?.isolation !== "read committed") {
          return yield* makeUnsupported(describeIsolation(settings?.isolation))
        }
        const [hostedUnit] = yield* run<{ readonly id: number }>(begin, [])
        hasEntered = true
        const result = yield* Effect.provideService(work, CurrentTransaction, transaction)
        yield* run(leave, [settings.before])
        return { result, id: hostedUnit?.id ?? null }
      })
      return runInSavepoint(classify, transaction)(unit).pipe(
        Effect.provideService(TransactionContext, { owner: "host" }),
        // This must be the last statement, because the host may commit right after it.
        Effect.flatMap(({ id, result }) => Effect.as(writeInTransaction(classify, transaction, end, [id]), result)),
        Effect.catchAllDefect((defect) => {
          const reason = defect instanceof StatementFailed ? findReason(defect.cause, hasEntered) : undefined
          return reason === undefined ? Effect.die(defect) : makeUnsupported(reason)
        }),
        Effect.ensuring(Effect.sync(() => {
          transaction.open = false
        }))
      )
    }))

/** Joins a transaction that the program opened through its own `@effect/sql` client for Postgres. */
export const makeHostTransactions = (
  options: Pick<PostgresOptions, "schema" | "rowSecurity">
): HostTransactions["Type"] => ({
  join: (work) =>
    Effect.withFiberRuntime(({ currentContext }) => {
      if (getCurrentTransaction(currentContext) !== undefined) return work
      const connection = Context.getOption(currentContext, TransactionConnection)
      if (connection._tag === "None") return UnsupportedTransaction.none
      const [sql] = connection.value
      const query = async (text: string, values: ReadonlyArray<SqlValue>) => {
        const result = await Effect.runPromise(
          Effect.either(runUninterruptibly(() => sql.executeUnprepared(text, values, undefined)))
        )
        if (result._tag === "Right") return result.right as Awaited<ReturnType<HostTransaction["query"]>>
        throw unwrapDriverError(result.left)
      }
      return runInHostTransaction({ connection: sql, query }, options)(work, Database.getTenantScope(currentContext))
    })
})

const makeUnsupported = (message: string) => new UnsupportedTransaction({ message: `within: ${message}` })

/**
 * A read that follows a lock must see the changes that other transactions committed during the wait. An isolation level
 * that keeps one snapshot hides those changes.
 */
const describeIsolation = (isolation: string | undefined): string =>
  `the transaction's isolation level is ${isolation}, but Trailbook requires read committed`

const findReason = (error: unknown, hasEntered: boolean): string | undefined => {
  if (error instanceof NoRows) return error.message
  const code = getSqlState(error)
  if (isTransactionEndedError(error) || (hasEntered && code === "25P01")) {
    return "the transaction ended before this call completed. Await the call before committing."
  }
  return hasEntered ? undefined : reasonsByState.get(code)
}

/** Messages by SQLSTATE. */
const reasonsByState: ReadonlyMap<string, string> = new Map([
  ["25P01", "the connection is not in a transaction. Start a transaction first."],
  ["25P02", "the transaction has already failed. Roll it back."],
  ["25006", "the transaction is read-only"],
  ["42P01", "the tables are missing or outdated. Call migrate() first."],
  ["3F000", "the tables are missing. Call migrate() first."]
])

/**
 * One semaphore per connection. Two units of work must not interleave, because each would release the other's
 * savepoints.
 */
const semaphores = new WeakMap<object, Effect.Semaphore>()

const getSemaphore = (connection: object): Effect.Semaphore => {
  const existing = semaphores.get(connection)
  if (existing !== undefined) return existing
  const semaphore = Effect.unsafeMakeSemaphore(1)
  semaphores.set(connection, semaphore)
  return semaphore
}

/**
 * Implements `Connection` on the host application's transaction, with any driver.
 *
 * Drivers differ in how they parse values. For example, a `bigint` can become a string, a number, or a `BigInt`.
 * Plugins can rename columns. Every statement therefore returns its rows as a single JSON text, which no driver
 * changes.
 */
const makeHostConnection = (host: HostTransaction, schema: string): Connection => {
  // If the host closes the transaction early, the driver would run the remaining statements in autocommit. To prevent
  // this, each statement casts a setting to boolean. Postgres resets the setting to an empty value when the transaction
  // ends, and the cast then fails.
  const insideColumn = `current_setting('${getHostTransactionSetting(schema)}')::boolean as inside`
  let lastStatement: Promise<unknown> = Promise.resolve()
  let failure: EarlierStatementFailed | undefined

  /** Runs statements sequentially, because some drivers have no queue. */
  const send = (text: string, statement: string, values: ReadonlyArray<SqlValue>): Effect.Effect<Rows, unknown> =>
    Effect.uninterruptible(Effect.async((resume) => {
      const response = lastStatement.then(async () => {
        if (failure !== undefined) throw failure
        try {
          return await host.query(statement, values)
        } catch (error) {
          const cause = findDatabaseError(error)
          failure = new EarlierStatementFailed({ text, cause })
          throw cause
        }
      })
      lastStatement = response.catch(() => undefined)
      response.then((rows) => resume(Effect.succeed(rows)), (error: unknown) => resume(Effect.fail(error)))
    }))

  return {
    run: <Row>(text: string, values: ReadonlyArray<SqlValue>) =>
      Effect.flatMap(
        // The `=` prefix keeps drivers from parsing the text as JSON.
        send(
          text,
          `with answer as (${text}) select '=' || coalesce(json_agg(answer)::text, '[]') as answer, ${insideColumn} from answer`,
          values
        ),
        (rows) => Effect.try({ try: () => parseRows(rows) as ReadonlyArray<Row>, catch: (error) => error })
      ),
    // Postgres runs a `select` in a CTE, and takes its locks, only if the query references the CTE. A write in a CTE
    // always runs. Without `returning`, the query cannot reference the CTE.
    write: (text, values) => {
      const doneColumn = /^\s*select\b/i.test(text) ? `(select count(*) from answer) as done, ` : ""
      return Effect.asVoid(send(text, `with answer as (${text}) select ${doneColumn}${insideColumn}`, values))
    },
    foreign: (text, values) => send(text, text, values),
    control: (text) =>
      Effect.suspend(() => {
        if (text.startsWith("rollback to ")) failure = undefined
        return Effect.asVoid(send(text, text, []))
      })
  }
}

/** Returns whether a statement failed because the transaction was already over. */
const isTransactionEndedError = (error: unknown): boolean =>
  getSqlState(error) === "22P02" && error instanceof Error && error.message.endsWith(`""`)

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** Reports that the host's `query` did not return rows. */
class NoRows extends TypeError {}

/** Converts nested JSON to text, because every other connection returns JSON as text. */
const parseRows = (rows: Rows): Rows => {
  const json = Array.isArray(rows) ? rows[0]?.answer : undefined
  if (typeof json !== "string") {
    throw new NoRows(
      "query must return rows as objects. Wrap clients and transactions of other libraries with fromPg, fromKysely, or fromDrizzle"
    )
  }
  return (JSON.parse(json.slice(1)) as Rows).map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === "object" && value !== null ? JSON.stringify(value) : value
      ])
    )
  )
}

/**
 * Unwraps the database error. Query builders wrap it in an error whose message contains all values, which can include
 * guest data.
 */
const findDatabaseError = (error: unknown): unknown => {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ("code" in current && "severity" in current) return current
  }
  return error
}
