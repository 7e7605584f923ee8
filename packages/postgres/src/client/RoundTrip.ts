/**
 * Statements that are sent and answered in one round trip. If no transaction is open, they form one implicit
 * transaction.
 *
 * `pg` sends one statement at a time and requests the column description each time. This query class uses the
 * interface that `pg` provides for cursors. It saves a round trip whenever settings precede a statement, which
 * applies to every read, and it saves the description of every prepared statement.
 */
import type { Value } from "@trailbook/sql/Dialect"
import type { Connection, Submittable } from "pg"
import { type Columns, type Field, makeColumns, type ParserFor, parseRow } from "./typeParsers.ts"

export interface Statement {
  /** The name of the prepared statement, or `""` if it is not prepared. */
  readonly name: string
  readonly text: string
  readonly values: ReadonlyArray<Value>
  /** Custom parsers for the rows of statements from other code. */
  readonly readerOf?: ParserFor
}

/** The prepared statements of a connection by name, with the columns of their rows. */
export type PreparedStatements = Map<string, Columns>

type Row = Readonly<Record<string, unknown>>

export class RoundTrip implements Submittable {
  readonly statements: ReadonlyArray<Statement>
  private readonly prepared: PreparedStatements
  private readonly limitMs: number
  private readonly done: (answers: ReadonlyArray<Answer>, error?: unknown) => void
  private readonly answers: Array<Answer> = []
  private ended = false
  private columns: Columns | undefined
  private rows: Array<Row> = []
  private unreadable: unknown
  private timer: NodeJS.Timeout | undefined

  /**
   * Calls `done` exactly once, with the result of each statement. An error belongs to the first statement without a
   * result, and the statements after it were not run. A connection that is silent for too long is closed.
   */
  constructor(
    statements: ReadonlyArray<Statement>,
    prepared: PreparedStatements,
    limitMs: number,
    done: (answers: ReadonlyArray<Answer>, error?: unknown) => void
  ) {
    this.statements = statements
    this.prepared = prepared
    this.limitMs = limitMs
    this.done = done
  }

  submit(connection: Connection): void {
    if (this.limitMs > 0) {
      this.timer = setTimeout(() => connection.stream.destroy(new NoAnswer(this.limitMs)), this.limitMs)
    }
    connection.stream.cork()
    try {
      for (const { name, text, values } of this.statements) {
        if (!this.prepared.has(name)) {
          // A statement of this name is not ours or has failed. Closing a nonexistent statement is allowed.
          if (name !== "") connection.close({ type: "S", name }, true)
          connection.parse({ name, text, types: [] }, true)
          connection.describe({ type: "S", name }, true)
        }
        connection.bind({ statement: name, values: values.map(written) }, true)
        connection.execute(null, true)
      }
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
  }

  handleRowDescription({ fields }: { readonly fields: ReadonlyArray<Field> }): void {
    this.columns = makeColumns(fields, this.underWay?.readerOf)
  }

  handleDataRow({ fields }: { readonly fields: ReadonlyArray<string | null> }): void {
    const columns = this.columns ?? this.prepared.get(this.underWay?.name ?? "")
    try {
      if (columns !== undefined) this.rows.push(parseRow(columns, fields))
    } catch (error) {
      this.unreadable ??= error
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const name = this.underWay?.name ?? ""
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
    // The prepared statement itself may have become invalid.
    if (this.underWay !== undefined) this.prepared.delete(this.underWay.name)
    this.end(error)
  }

  handleCopyInResponse(connection: Connection): void {
    connection.stream.destroy(new Error("COPY statements are not supported."))
  }

  private get underWay(): Statement | undefined {
    return this.statements[this.answers.length]
  }

  private end(error?: unknown): void {
    // A host's pool can have a separate timeout, which fires after the query has ended.
    if (this.ended) return
    this.ended = true
    clearTimeout(this.timer)
    this.done(this.answers, error)
  }
}

/** The result of a statement: its rows and command tag, or the error of a row that could not be parsed. */
export type Answer = { readonly rows: ReadonlyArray<Row>; readonly command: string } | { readonly unreadable: unknown }

export class NoAnswer extends Error {
  constructor(limitMs: number) {
    super(`The database did not respond within ${limitMs} ms.`)
  }
}

const written = (value: Value): string | null => value === null ? null : String(value)
