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
  const prepared = new Map<string, Prepared>()
  const prepare = (text: string): Prepared => {
    const order: Array<number> = []
    const statement = driver.prepare(text.replace(/\$(\d+)/g, (_, number) => {
      order.push(Number(number) - 1)
      return "?"
    }))
    const made = statement.reader
      ? { statement: statement.raw(), order, names: statement.columns().map(({ name }) => name) }
      : { statement, order, names: undefined }
    prepared.set(text, made)
    return made
  }
  const run = <Row>(text: string, values: ReadonlyArray<Value>): ReadonlyArray<Row> => {
    const { names, order, statement } = prepared.get(text) ?? prepare(text)
    const bound = order.map((at) => values[at])
    if (names !== undefined) return (statement.all(...bound) as Array<Array<unknown>>).map(rowOf<Row>(names))
    statement.run(...bound)
    return []
  }
  return {
    driver,
    run: (text, values) => answered(() => run(text, values)),
    write: (text, values) => answered(() => void run(text, values)),
    foreign: (text, values) =>
      answered(() => {
        const statement = driver.prepare(text)
        // By name, because what looks like a parameter may stand within quotes.
        const bound = values.length === 0 ? [] : [Object.fromEntries(values.map((value, at) => [at + 1, value]))]
        if (statement.reader) return statement.all(...bound)
        statement.run(...bound)
        return []
      }),
    control: (text) => answered(() => void driver.exec(text))
  }
}

interface Prepared {
  readonly statement: BetterSqlite3.Statement
  /** Which value goes where: numbered parameters would be looked up by name, one after the other. */
  readonly order: ReadonlyArray<number>
  /** Of its columns; a statement that only writes has none. */
  readonly names: ReadonlyArray<string> | undefined
}

/** For a wide row half of what it costs the driver to make the object. */
const rowOf = <Row>(names: ReadonlyArray<string>) => (cells: ReadonlyArray<unknown>): Row => {
  const row: Record<string, unknown> = {}
  for (let at = 0; at < names.length; at++) row[names[at] as string] = cells[at]
  return row as Row
}

const answered = <A>(ask: () => A): Effect.Effect<A, unknown> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(ask())
    } catch (error) {
      return Effect.fail(error)
    }
  })
