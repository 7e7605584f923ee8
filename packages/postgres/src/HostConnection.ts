/**
 * Implements `Connection` on the host application's transaction, with any driver.
 *
 * Drivers differ in how they parse values. For example, a `bigint` can become a string, a number, or a `BigInt`.
 * Plugins can rename columns. Every statement therefore returns its rows as a single JSON text, which no driver
 * changes.
 */
import { type Connection, EarlierStatementFailed } from "@trailbook/sql/Connection"
import type { SqlValue } from "@trailbook/sql/Dialect"
import * as Effect from "effect/Effect"
import { getSqlState } from "./classifyError.ts"
import { getHostTransactionSetting } from "./transactionSettings.ts"

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

export const make = (host: HostTransaction, schema: string): Connection => {
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
export const isTransactionEndedError = (error: unknown): boolean =>
  getSqlState(error) === "22P02" && error instanceof Error && error.message.endsWith(`""`)

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** Reports that the host's `query` did not return rows. */
export class NoRows extends TypeError {}

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
