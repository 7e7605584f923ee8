/**
 * @since 0.1.0
 */
import type { Connection } from "@trailbook/sql/Connection"
import type { Value } from "@trailbook/sql/Dialect"
import BetterSqlite3 from "better-sqlite3"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/**
 * A connection, and the driver's own handle for what is no statement.
 *
 * @since 0.1.0
 * @category models
 */
export interface SqliteConnection extends Connection {
  readonly driver: BetterSqlite3.Database
}

/**
 * Opens a file until the scope closes, or fails with what the driver threw.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = (
  filename: string,
  options: BetterSqlite3.Options = {}
): Effect.Effect<SqliteConnection, unknown, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.try({ try: () => new BetterSqlite3(filename, options), catch: (error) => error }),
      (driver) => Effect.sync(() => driver.close())
    ),
    connection
  )

/** The driver works on the event loop: a statement is over when it returns. */
const connection = (driver: BetterSqlite3.Database): SqliteConnection => {
  const prepared = new Map<string, BetterSqlite3.Statement>()
  const prepare = (text: string): BetterSqlite3.Statement => {
    const statement = driver.prepare(text)
    prepared.set(text, statement)
    return statement
  }
  return {
    driver,
    run: <Row>(text: string, values: ReadonlyArray<Value>) =>
      answered(() => {
        const statement = prepared.get(text) ?? prepare(text)
        const bound = values.length === 0 ? [] : [named(values)]
        if (statement.reader) return statement.all(...bound) as ReadonlyArray<Row>
        statement.run(...bound)
        return []
      }),
    control: (text) => answered(() => void driver.exec(text))
  }
}

const answered = <A>(ask: () => A): Effect.Effect<A, unknown> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(ask())
    } catch (error) {
      return Effect.fail(error)
    }
  })

/** The driver takes numbered parameters as named ones, by their digits. */
const named = (values: ReadonlyArray<Value>): Record<number, Value> => {
  const parameters: Record<number, Value> = {}
  let at = 0
  for (const value of values) parameters[++at] = value
  return parameters
}
