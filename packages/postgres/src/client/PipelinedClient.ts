/**
 * Wraps a `pg` client. Concurrent statements are sent in one round trip, together with the pending `begin` and the
 * buffered writes. Statements from other code are passed to `pg` unchanged, after the buffered statements.
 */
import { EarlierStatementFailed } from "@trailbook/sql/Connection"
import type { SqlValue } from "@trailbook/sql/Dialect"
import type { Connection, PoolClient } from "pg"
import { ConnectionLost, isConnectionError, isReadOnlyError } from "../classifyError.ts"
import { explainError, findSendPlan, type SendPlan } from "./preparedStatements.ts"
import { type PreparedStatements, ResponseTimeout, RoundTrip, type Statement } from "./RoundTrip.ts"

export interface ConnectionOptions {
  /** Set to false behind a transaction-mode pooler that does not track prepared statements. */
  readonly prepare: boolean
  /**
   * The maximum wait for a response in milliseconds. After that, the connection is considered lost. 0 disables the
   * limit.
   */
  readonly answerWithinMs: number
  /**
   * Counts how many times a client found its server to be read-only. All clients for a database share this object,
   * across pools.
   */
  readonly failovers?: { count: number }
  /** `areStuck` is set after a commit gets no response. All clients in a pool share this object. */
  readonly commits?: { areStuck: boolean }
}

/** The fields that this module reads from a `pg` result. */
interface ServerResponse {
  readonly rows: ReadonlyArray<unknown>
  readonly command: string
}

type Callback = (error: unknown, response?: ServerResponse) => void

/** A buffered statement. A write that no caller awaits is sent along with the next awaited statement. */
interface QueuedQuery {
  readonly statement: Statement
  readonly onResponse: Callback | undefined
}

const emptyResponse: ServerResponse = { rows: [], command: "" }

/** A pipelined `pg` client. Only one caller uses the client at a time. */
export class PipelinedClient {
  /** Returns the client to its pool. Each checkout sets a new function. */
  release: (error?: unknown) => void = () => {}
  private readonly client: PoolClient
  private readonly options: ConnectionOptions
  private readonly prepared: PreparedStatements
  private opening: Array<Statement> = []
  private queue: Array<QueuedQuery> = []
  private connectionLost: ConnectionLost | undefined
  /**
   * The error from buffered statements that were sent ahead of a foreign statement. The field is cleared once a caller
   * has received the error.
   */
  private bufferedError: unknown
  /**
   * Whether Trailbook opened the current transaction. The response time limit applies only to such a transaction.
   */
  private isOwnTransaction = false
  // The driver's query queue is deprecated, so this class runs one statement at a time.
  private readonly waiters: Array<() => void> = []
  private isBusy = false
  private readonly failovers: number | undefined

  constructor(client: PoolClient, options: ConnectionOptions) {
    this.client = client
    this.options = options
    this.failovers = options.failovers?.count
    this.prepared = getPreparedStatements(client)
  }

  /** `@effect/sql-pg` uses this ID to cancel queries. */
  get processID(): unknown {
    return (this.client as unknown as { readonly processID: unknown }).processID
  }

  on(event: "error", listener: (error: Error) => void): void {
    this.client.on(event, listener)
  }

  once(event: "error", listener: (error: Error) => void): void {
    this.client.once(event, listener)
  }

  off(event: "error", listener: (error: Error) => void): void {
    this.client.off(event, listener)
  }

  /** Returns the client to its pool if it is reusable. Otherwise, destroys it, and the pool creates another. */
  end(error: unknown, release: (destroy: boolean) => void): void {
    const isSound = error === undefined && this.isSound()
    // A destroyed client can still emit errors. Without a listener, they would crash the process.
    if (!isSound) this.client.on("error", () => {})
    this.isOwnTransaction = false
    release(!isSound)
  }

  /** Returns whether the client can be reused. A reusable client is connected and not in a transaction. */
  isSound(): boolean {
    return this.connectionLost === undefined && this.bufferedError === undefined && this.opening.length === 0 &&
      this.queue.length === 0 && this.client.getTransactionStatus() === "I"
  }

  /**
   * Returns whether any client found its server to be read-only since this client connected. If so, this client may be
   * connected to a demoted primary.
   */
  isOutdated(): boolean {
    return this.failovers !== this.options.failovers?.count
  }

  /**
   * Marks the client as lost if the error implies a lost connection or a demoted primary. A managed failover demotes
   * the primary to a read-only server and moves its address to another server. A read-only host transaction does not
   * count, because it may be intentional.
   */
  private markLost(error: unknown): boolean {
    const isDemoted = this.isOwnTransaction && isReadOnlyError(error)
    if (isDemoted && this.options.failovers !== undefined) this.options.failovers.count++
    if (!isDemoted && !isConnectionError(error)) return false
    this.connectionLost = new ConnectionLost(error)
    return true
  }

  query(text: unknown, values?: unknown, callback?: Callback): unknown {
    const plan = callback !== undefined && typeof text === "string" ? findSendPlan(text) : undefined
    return plan === undefined || callback === undefined
      ? this.passThrough(text, values, callback)
      : this.execute(plan, values as ReadonlyArray<SqlValue>, callback)
  }

  private execute({ how, name, text }: SendPlan, values: ReadonlyArray<SqlValue>, callback: Callback): void {
    const statement = { name: this.options.prepare ? name : "", text, values }
    switch (how) {
      case "opens":
        this.isOwnTransaction = true
        this.opening.push(statement)
        return callback(null, emptyResponse)
      case "later":
        this.queue.push({ statement, onResponse: undefined })
        return callback(null, emptyResponse)
      case "foreign":
        return this.queueAwaited({ ...statement, readerOf: (type) => this.client.getTypeParser(type) }, callback)
      case "control":
        if (text.startsWith("rollback")) this.bufferedError = undefined
        if (text === "rollback") this.queue = this.queue.filter(({ onResponse }) => onResponse !== undefined)
        // A transaction without statements was never opened on the server.
        if ((text === "commit" || text === "rollback") && this.opening.length > 0 && this.queue.length === 0) {
          this.opening = []
          return callback(null, { rows: [], command: text.toUpperCase() })
        }
        return this.queueAwaited(statement, callback)
      case "now":
        return this.queueAwaited(statement, callback)
    }
  }

  private queueAwaited(statement: Statement, callback: Callback): void {
    const failure = this.connectionLost ?? this.bufferedError
    if (failure !== undefined) return callback(failure)
    if (this.queue.every(({ onResponse }) => onResponse === undefined)) queueMicrotask(() => this.send())
    this.queue.push({ statement, onResponse: callback })
  }

  /** Sends all concurrent statements together. */
  private send(): void {
    const { queue, opening } = this
    if (queue.length === 0 && opening.length === 0) return
    this.queue = []
    this.opening = []
    const openingCount = opening.length
    const statements = openingCount === 0
      ? queue.map(({ statement }) => statement)
      : [...opening, ...queue.map(({ statement }) => statement)]
    this.submit(() =>
      this.client.query(
        new RoundTrip(statements, this.prepared, this.options.answerWithinMs, (answers, error) => {
          if (error !== undefined) this.markLost(error)
          if (error instanceof ResponseTimeout && this.options.commits !== undefined) {
            this.options.commits.areStuck = statements.some(({ text }) => text === "commit")
          }
          const failedAt = answers.length
          const toError = (at: number): unknown => {
            const cause = explainError(error)
            // No caller awaits the opening statements. If one of them fails, every statement fails with its error.
            if (this.connectionLost !== undefined || failedAt < openingCount || at === failedAt) {
              return this.connectionLost ?? cause
            }
            return new EarlierStatementFailed({ text: statements[failedAt]?.text ?? "", cause })
          }
          if (error !== undefined && queue.every(({ onResponse }) => onResponse === undefined)) {
            this.bufferedError = toError(-1)
          }
          this.startNext()
          queue.forEach(({ onResponse }, index) => {
            if (onResponse === undefined) return
            const response = answers[openingCount + index]
            if (response === undefined) return onResponse(toError(openingCount + index))
            if ("unreadable" in response) return onResponse(response.unreadable)
            onResponse(null, response)
          })
        })
      )
    )
  }

  /** Passes a statement from other code to `pg`. */
  private passThrough(text: unknown, values: unknown, callback: Callback | undefined): unknown {
    this.send()
    const query = this.client.query.bind(this.client) as (...query: ReadonlyArray<unknown>) => unknown
    // Without a callback, the argument is a cursor, which emits rows as it is read.
    if (callback === undefined) return values === undefined ? query(text) : query(text, values)
    const statementText = typeof text === "string" ? text : ""
    this.submit(() => {
      if (/^rollback/i.test(statementText)) this.bufferedError = undefined
      const failure = this.connectionLost ?? this.bufferedError
      if (failure !== undefined) {
        this.startNext()
        return callback(failure)
      }
      const timer = this.isOwnTransaction && this.options.answerWithinMs > 0
        ? setTimeout(() => {
          const { stream } = (this.client as unknown as { readonly connection: Connection }).connection
          stream.destroy(new ResponseTimeout(this.options.answerWithinMs))
        }, this.options.answerWithinMs)
        : undefined
      query(text, values, (error: unknown, result: ServerResponse | undefined) => {
        clearTimeout(timer)
        const isLost = error !== null && error !== undefined && this.markLost(error)
        this.startNext()
        if (isLost) return callback(this.connectionLost)
        // Postgres responds to a commit of a failed transaction with a rollback, which `@effect/sql` treats as success.
        if (result?.command === "ROLLBACK" && /^commit/i.test(statementText)) {
          return callback(
            new Error("Postgres rolled back the transaction on COMMIT because one of its statements had failed.")
          )
        }
        callback(error, result)
      })
    })
    return undefined
  }

  private submit(start: () => void): void {
    if (this.isBusy) return void this.waiters.push(start)
    this.isBusy = true
    start()
  }

  private startNext(): void {
    this.isBusy = false
    const start = this.waiters.shift()
    if (start !== undefined) this.submit(start)
  }
}

/**
 * The prepared statements of each `pg` client. A client outlives its checkouts and can belong to several of our pools.
 */
const preparedByClient = new WeakMap<PoolClient, PreparedStatements>()

const getPreparedStatements = (client: PoolClient): PreparedStatements => {
  const existing = preparedByClient.get(client)
  if (existing !== undefined) return existing
  const statements: PreparedStatements = new Map()
  preparedByClient.set(client, statements)
  return statements
}
