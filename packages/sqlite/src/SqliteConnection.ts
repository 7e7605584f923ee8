import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { SafeIntegers } from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import type { Connection } from "@trailbook/sql/Connection"
import type { SqlValue } from "@trailbook/sql/Dialect"
import {
  makeReservedConnection,
  type ReservedConnection,
  runUnprepared,
  type StatementEncoder,
  unwrapDriverError,
  unwrapSqlError
} from "@trailbook/sql/reservedConnection"
import type BetterSqlite3 from "better-sqlite3"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { open as openDriver } from "./driver.ts"

/** The maximum number of prepared statements per connection. */
const maxStatements = 1000

/** An `@effect/sql-sqlite-node` client and its only connection. */
export interface ClientConnection {
  readonly client: SqliteClient.SqliteClient
  /** The connection, for callers that have reserved it or do not need to wait for it. */
  readonly connection: ReservedConnection
}

/** Opens a file and keeps it open until the scope closes. Fails with the driver's error. */
export const openConnection = (
  filename: string,
  options: { readonly readonly?: boolean } = {}
): Effect.Effect<ClientConnection, unknown, Scope.Scope> =>
  SqliteClient.make({
    filename,
    ...options,
    // Trailbook's own settings enable WAL later, because their order matters.
    disableWAL: true,
    prepareCacheSize: maxStatements,
    prepareCacheTTL: Duration.infinity
  }).pipe(
    Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
    Effect.flatMap(wrapClient),
    // The driver throws if a file cannot be opened.
    Effect.catchAllDefect((defect) => Effect.fail(defect)),
    Effect.mapError(unwrapDriverError)
  )

/**
 * A read connection. `run` reads immediately instead of returning an effect, because the effect would add more steps to
 * a request than the read itself.
 */
export interface ReadConnection {
  readonly run: <Row>(text: string, values: ReadonlyArray<SqlValue>) => Exit.Exit<ReadonlyArray<Row>, unknown>
}

/** Opens a read connection that uses the driver directly. Reading a single row takes half as long as with a client. */
export const openReadConnection = (filename: string): Effect.Effect<ReadConnection, unknown, Scope.Scope> =>
  Effect.map(openDriver(filename, { readonly: true }), (driver) => {
    const statements = new Map<string, ReturnType<typeof prepare>>()
    const prepareCached = (text: string) => {
      const existing = statements.get(text)
      if (existing !== undefined) return existing
      if (statements.size >= maxStatements) statements.clear()
      const statement = prepare(driver, text)
      statements.set(text, statement)
      return statement
    }
    return {
      run: <Row>(text: string, values: ReadonlyArray<SqlValue>): Exit.Exit<ReadonlyArray<Row>, unknown> => {
        try {
          return Exit.succeed(prepareCached(text)(values) as ReadonlyArray<Row>)
        } catch (error) {
          return Exit.fail(error)
        }
      }
    }
  })

/**
 * Prepares a statement that returns arrays of cells. Generated code turns each array into a row with an object literal.
 */
const prepare = (driver: BetterSqlite3.Database, text: string) => {
  const { order, text: driverText } = translate(text)
  const statement = driver.prepare<Array<SqlValue | undefined>>(driverText)
  const names = statement.reader ? statement.columns().map(({ name }) => name) : []
  // If two columns have the same name, a row has only one property for both, so do not use cells.
  const shape = new Set(names).size < names.length ? "none" : makeShape(names, 0)
  const driverStatement = shape === "none" ? statement : statement.raw()
  return (values: ReadonlyArray<SqlValue>): ReadonlyArray<unknown> => {
    const rows = driverStatement.all(...order.map((at) => values[at]))
    return shape === "none" ? rows : rows.map((cells) => shape.row(cells as ReadonlyArray<unknown>))
  }
}

/** Wraps the host application's client. */
export const wrapClient = (client: SqliteClient.SqliteClient): Effect.Effect<ClientConnection, unknown> =>
  Effect.map(Effect.scoped(client.reserve), (sql) => ({ client, connection: makeConnection(sql) }))

/** The minimum number of rows for which results are read as arrays of cells. */
const minRowsForCells = 8

/**
 * Reads large results as arrays of cells and builds each object with a generated object literal. The driver would set
 * the properties one at a time, which takes longer for a list than finding the rows does. For only a few rows, reading
 * cells is slower, so the choice depends on the row count of the statement's last execution.
 */
export const makeConnection = (sql: SqlConnection.Connection): ReservedConnection => {
  const base = makeReservedConnection(sql, sendMode)
  const shapes = new Map<string, Shape>()
  return {
    ...base,
    // Pass the values by name, because quoted text can look like a parameter.
    foreign: (text, values) =>
      unwrapSqlError(
        runUnprepared(sql, text, values.length === 0 ? [] : [Object.fromEntries(values.map(toNumberedEntry))])
      ),
    run: <Row>(text: string, values: ReadonlyArray<SqlValue>): Effect.Effect<ReadonlyArray<Row>, unknown> => {
      const shape = shapes.get(text)
      const runAsObjects = (): Effect.Effect<ReadonlyArray<Row>, unknown> => withoutBigInts(base.run<Row>(text, values))
      if (shape === undefined) {
        return Effect.tap(runAsObjects(), (rows) => {
          if (rows[0] !== undefined && isRead(text)) {
            shapes.set(text, makeShape(Object.keys(rows[0] as object), rows.length))
          }
        })
      }
      if (shape === "none") return runAsObjects()
      if (shape.rows < minRowsForCells) {
        return Effect.tap(runAsObjects(), (rows) => {
          shape.rows = rows.length
        })
      }
      const { order, text: driverText } = translate(text)
      return unwrapSqlError(Effect.flatMap(
        sql.executeValues(driverText, order.map((at) => values[at])),
        (rows): Effect.Effect<ReadonlyArray<Row>, unknown> => {
          if (rows[0] === undefined || rows[0].length === shape.width) {
            shape.rows = rows.length
            return Effect.succeed(rows.map((cells) => shape.row(cells) as Row))
          }
          // Two columns have the same name, so cells cannot be used.
          shapes.set(text, "none")
          return runAsObjects()
        }
      ))
    }
  }
}

const toNumberedEntry = (value: SqlValue, at: number) => [at + 1, value] as const

/** Returns whether the statement is a pure read. Only a pure read may run twice. */
const isRead = (text: string): boolean =>
  /^\s*(?:select|with)\b/.test(text) && !/\b(?:insert|update|delete)\b/.test(text)

/**
 * Turns off `BigInt` for the statement. Otherwise, once a program has run a statement with `BigInt`, the statement
 * returns `BigInt` values from then on.
 */
const withoutBigInts = <A>(effect: Effect.Effect<A, unknown>): Effect.Effect<A, unknown> =>
  Effect.withFiberRuntime(({ currentContext }) =>
    Context.get(currentContext, SafeIntegers) ? Effect.provideService(effect, SafeIntegers, false) : effect
  )

interface TranslatedStatement {
  readonly text: string
  /** The parameter number at each position. Without it, SQLite would look up each numbered parameter by name. */
  readonly order: ReadonlyArray<number>
}

/**
 * If a statement's limit is a bare parameter, SQLite plans for the parameter's value, so it prepares the statement
 * again after each bind. That takes longer than most statements. SQLite does not plan for the value of an expression.
 */
const plannedLimit = "? + 0"

const translations = new Map<string, TranslatedStatement>()

const translate = (text: string): TranslatedStatement => {
  const existing = translations.get(text)
  if (existing !== undefined) return existing
  const order: Array<number> = []
  const translation = {
    text: text.replace(/(\blimit )?\$(\d+)/g, (_, limit: string | undefined, number: string) => {
      order.push(Number(number) - 1)
      return limit === undefined ? "?" : `${limit}${plannedLimit}`
    }),
    order
  }
  translations.set(text, translation)
  return translation
}

const sendMode: StatementEncoder = {
  text: (text, mode) => mode === "control" ? text : translate(text).text,
  values: (text, values) => translate(text).order.map((at) => values[at])
}

interface ShapedStatement {
  readonly width: number
  readonly row: (cells: ReadonlyArray<unknown>) => unknown
  /** The number of rows in the last execution. */
  rows: number
}

type Shape = ShapedStatement | "none"

/**
 * Builds the function that creates a row. Returns "none" if a column name starts with a digit, because JavaScript moves
 * integer keys to the front.
 */
const makeShape = (names: ReadonlyArray<string>, rows: number): Shape => {
  if (names.some((name) => /^\d/.test(name))) return "none"
  const fields = names.map((name, at) => `${JSON.stringify(name)}: cells[${at}]`)
  // oxlint-disable-next-line typescript/no-implied-eval
  const row = new Function("cells", `return { ${fields.join(", ")} }`) as (cells: ReadonlyArray<unknown>) => unknown
  return { width: names.length, row, rows }
}

/**
 * A number that changes after every commit. It changes immediately for commits by this process, and within {@link
 * maxNoticeDelayMs} for commits by other processes. Undefined if the version is unknown.
 */
export class DataVersion
  extends Context.Tag("@trailbook/sqlite/dataVersion")<DataVersion, Effect.Effect<number | undefined>>()
{}

/**
 * The maximum delay in milliseconds before commits by other processes are noticed. Reading the data version requires a
 * statement, which costs more than the rest of a key lookup.
 */
const maxNoticeDelayMs = 5

interface DataVersionCounter {
  readonly count: DataVersion["Type"]
  /** Wraps the writer's connection to count its commits. */
  readonly countCommits: (writer: ReservedConnection) => ReservedConnection
}

/** Combines the data version of a read connection with the number of commits by our own writer. */
export const makeDataVersionCounter = ({ run }: ReadConnection): DataVersionCounter => {
  let commits = 0
  let version: number | undefined
  let readAt = -Infinity
  const getKnownVersion = () => version === undefined ? undefined : commits
  const noteVersion = (current: number | undefined) => {
    if (current !== version) commits++
    version = current
    return getKnownVersion()
  }
  const readVersion = () => {
    const rows = run<{ readonly data_version: number }>("pragma data_version", [])
    return noteVersion(Exit.isSuccess(rows) ? rows.value[0]?.data_version : undefined)
  }
  return {
    count: Effect.sync(() => {
      const now = performance.now()
      if (now - readAt < maxNoticeDelayMs) return getKnownVersion()
      readAt = now
      return readVersion()
    }),
    countCommits: (writer) => ({
      ...writer,
      control: (text): ReturnType<Connection["control"]> =>
        text === "commit"
          ? Effect.flatMap(Effect.exit(writer.control(text)), (exit) => {
            commits++
            return exit
          })
          : writer.control(text)
    })
  }
}
