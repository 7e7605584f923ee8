/**
 * Sends several statements and receives their results in one round trip. If no transaction is open, the statements form
 * one implicit transaction.
 *
 * `pg` sends one statement at a time and requests the column descriptions each time. This query class uses the
 * interface that `pg` provides for cursors. Every read follows a settings statement, so the class saves one round trip
 * per read. It also avoids fetching the column descriptions of prepared statements.
 */
import type { SqlValue } from "@trailbook/sql/Dialect"
import type { Connection, Submittable } from "pg"

export interface Statement {
  /** The name of the prepared statement, or `""` if it is not prepared. */
  readonly name: string
  readonly text: string
  readonly values: ReadonlyArray<SqlValue>
  /** The parsers that other code has set for its own statements. */
  readonly readerOf?: ParserFor
}

/** The prepared statements of a connection by name, with the columns of their rows. */
export type PreparedStatements = Map<string, Columns>

type Row = Readonly<Record<string, unknown>>

export class RoundTrip implements Submittable {
  readonly statements: ReadonlyArray<Statement>
  private readonly prepared: PreparedStatements
  private readonly limitMs: number
  private readonly onDone: (answers: ReadonlyArray<StatementResult>, error?: unknown) => void
  private readonly answers: Array<StatementResult> = []
  private hasEnded = false
  private columns: Columns | undefined
  private rows: Array<Row> = []
  private unreadable: unknown
  private timer: NodeJS.Timeout | undefined

  /**
   * Calls `onDone` exactly once, with the statements' results. If `onDone` receives an error, the first statement
   * without a result caused it, and the later statements did not run. If the server does not respond within `limitMs`,
   * the connection is closed.
   */
  constructor(
    statements: ReadonlyArray<Statement>,
    prepared: PreparedStatements,
    limitMs: number,
    onDone: (answers: ReadonlyArray<StatementResult>, error?: unknown) => void
  ) {
    this.statements = statements
    this.prepared = prepared
    this.limitMs = limitMs
    this.onDone = onDone
  }

  submit(connection: Connection): void {
    if (this.limitMs > 0) {
      this.timer = setTimeout(() => connection.stream.destroy(new ResponseTimeout(this.limitMs)), this.limitMs)
    }
    connection.stream.cork()
    try {
      for (const { name, text, values } of this.statements) {
        if (!this.prepared.has(name)) {
          // The session may already have a statement with this name, from a failed attempt or from another client.
          // Closing a nonexistent statement is allowed.
          if (name !== "") connection.close({ type: "S", name }, true)
          connection.parse({ name, text, types: [] }, true)
          connection.describe({ type: "S", name }, true)
        }
        connection.bind({ statement: name, values: values.map(encodeValue) }, true)
        connection.execute(null, true)
      }
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
  }

  handleRowDescription({ fields }: { readonly fields: ReadonlyArray<Field> }): void {
    this.columns = makeColumns(fields, this.currentStatement?.readerOf)
  }

  handleDataRow({ fields }: { readonly fields: ReadonlyArray<string | null> }): void {
    const columns = this.columns ?? this.prepared.get(this.currentStatement?.name ?? "")
    try {
      if (columns !== undefined) this.rows.push(parseRow(columns, fields))
    } catch (error) {
      this.unreadable ??= error
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const name = this.currentStatement?.name ?? ""
    if (name !== "" && !this.prepared.has(name)) this.prepared.set(name, this.columns ?? [])
    const { rows, unreadable } = this
    this.answers.push(unreadable === undefined ? { rows, command: text } : { unreadable })
    this.columns = undefined
    this.unreadable = undefined
    this.rows = []
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: "" })
  }

  handleReadyForQuery(): void {
    this.end()
  }

  handleError(error: unknown): void {
    // The prepared statement itself may have become invalid, so prepare it again next time.
    if (this.currentStatement !== undefined) this.prepared.delete(this.currentStatement.name)
    this.end(error)
  }

  handleCopyInResponse(connection: Connection): void {
    connection.stream.destroy(new Error("COPY statements are not supported."))
  }

  private get currentStatement(): Statement | undefined {
    return this.statements[this.answers.length]
  }

  private end(error?: unknown): void {
    // A timeout in the host's pool can fire after the query has ended.
    if (this.hasEnded) return
    this.hasEnded = true
    clearTimeout(this.timer)
    this.onDone(this.answers, error)
  }
}

/** A statement's result. It contains the rows and the command tag, or the error if a row could not be parsed. */
export type StatementResult = { readonly rows: ReadonlyArray<Row>; readonly command: string } | {
  readonly unreadable: unknown
}

export class ResponseTimeout extends Error {
  constructor(limitMs: number) {
    super(`The database did not respond within ${limitMs} ms.`)
  }
}

const encodeValue = (value: SqlValue): string | null => value === null ? null : String(value)

/** A column description from Postgres. */
interface Field {
  readonly name: string
  readonly dataTypeID: number
}

type Columns = ReadonlyArray<{ readonly name: string; readonly read: (text: string) => unknown }>

/** Returns the parser for a type. */
type ParserFor = (type: number) => (text: string) => unknown

const makeColumns = (fields: ReadonlyArray<Field>, readerOf: ParserFor = parserFor): Columns =>
  fields.map(({ dataTypeID, name }) => ({ name, read: readerOf(dataTypeID) }))

/**
 * Parses a row. Every value arrives as text, and the column type alone determines its parser. Type parsers that a host
 * has set on `pg` have no effect.
 */
const parseRow = (columns: Columns, fields: ReadonlyArray<string | null>): Readonly<Record<string, unknown>> => {
  const row: Record<string, unknown> = {}
  columns.forEach(({ name, read }, at) => {
    const text = fields[at] ?? null
    row[name] = text === null ? null : read(text)
  })
  return row
}

const keepText = (text: string): string => text

/**
 * Parses instants, event IDs, and sums. All of these values fit in a safe integer. Throws for a larger value, because
 * rounding would change it.
 */
const parseInteger = (text: string): number => {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is too large for a JavaScript number.`)
  return number
}

const parserFor: ParserFor = (type) => parsersByType.get(type) ?? keepText

/** The parsers by type OID. The OIDs of built-in types never change. JSON stays text. */
const parsersByType: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === "t"],
  [20, parseInteger],
  [21, parseInteger],
  [23, parseInteger],
  // `sum` of a bigint column returns numeric.
  [1700, parseInteger],
  [700, Number],
  [701, Number]
])
