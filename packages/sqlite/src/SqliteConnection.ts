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
      ? { statement: statement.raw(), order, row: rowOf(statement.columns().map(({ name }) => name)) }
      : { statement, order, row: undefined }
    prepared.set(text, made)
    return made
  }
  const run = <Row>(text: string, values: ReadonlyArray<Value>): ReadonlyArray<Row> => {
    const { order, row, statement } = prepared.get(text) ?? prepare(text)
    const bound = order.map((at) => values[at])
    if (row !== undefined) return (statement.all(...bound) as Array<Array<unknown>>).map((cells) => row(cells) as Row)
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
  /** Makes a row of its cells; a statement that only writes has none. */
  readonly row: ((cells: ReadonlyArray<unknown>) => unknown) | undefined
}

/**
 * An object literal, written once a statement of the names of our own columns:
 * naming one column after the other is an eighth of what it costs to read a
 * booking.
 */
const rowOf = (names: ReadonlyArray<string>): NonNullable<Prepared["row"]> => {
  const fields = names.map((name, at) => `${JSON.stringify(name)}: cells[${at}]`)
  // oxlint-disable-next-line typescript/no-implied-eval
  return new Function("cells", `return { ${fields.join(", ")} }`) as NonNullable<Prepared["row"]>
}

const answered = <A>(ask: () => A): Effect.Effect<A, unknown> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(ask())
    } catch (error) {
      return Effect.fail(error)
    }
  })
