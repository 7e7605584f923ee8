/**
 * Statements that travel together: they are sent at once and answered at once,
 * and where no transaction is open they are one by themselves.
 *
 * `pg` sends one statement a time and asks with each for the names and types of
 * its columns. This is a query of ours for its client, by the interface that its
 * cursors use. It saves a round trip wherever something has to be said before a
 * statement, which is before every read, and a description with every statement
 * that is prepared.
 */
import type { Value } from "@trailbook/sql/Dialect"
import type { Connection, Submittable } from "pg"
import { type Columns, type Field, makeColumns, type ParserFor, parseRow } from "./typeParsers.ts"

export interface Statement {
  /** Under which it stays prepared; `""` if it does not. */
  readonly name: string
  readonly text: string
  readonly values: ReadonlyArray<Value>
  /** How its rows are read, when that is not ours to say. */
  readonly readerOf?: ParserFor
}

/**
 * The statements that a connection has prepared, by name, with what their rows
 * are made of.
 */
export type PreparedStatements = Map<string, Columns>

type Row = Readonly<Record<string, unknown>>

export class RoundTrip implements Submittable {
  private readonly statements: ReadonlyArray<Statement>
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
   * It ends by `done`, once, with what each statement said. An error is that of the
   * first statement without an answer; those behind it were not looked at. A
   * connection that says nothing for too long is cut.
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
          // Whatever has this name now is not ours, or failed: to close what is not there is allowed.
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
    // It may be the statement itself that does not hold any more.
    if (this.underWay !== undefined) this.prepared.delete(this.underWay.name)
    this.end(error)
  }

  handleCopyInResponse(connection: Connection): void {
    connection.stream.destroy(new Error("A statement wants to copy, which it must not."))
  }

  private get underWay(): Statement | undefined {
    return this.statements[this.answers.length]
  }

  private end(error?: unknown): void {
    // A host's pool may have a time-out of its own, which speaks up however the query ended.
    if (this.ended) return
    this.ended = true
    clearTimeout(this.timer)
    this.done(this.answers, error)
  }
}

/**
 * What a statement said: its rows and what it did, or that it did it, but a row
 * holds what we cannot read.
 */
export type Answer = { readonly rows: ReadonlyArray<Row>; readonly command: string } | { readonly unreadable: unknown }

export class NoAnswer extends Error {
  constructor(limitMs: number) {
    super(`The database did not answer within ${limitMs} ms.`)
  }
}

const written = (value: Value): string | null => value === null ? null : String(value)
