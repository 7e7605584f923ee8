/**
 * A client of `pg` that sends what is asked for at the same time in one round trip,
 * with what opens a transaction and what was written before. What is not ours goes
 * to `pg` as it is, behind what was kept back.
 */
import { EarlierFailed } from "@trailbook/sql/Connection"
import type { Value } from "@trailbook/sql/Dialect"
import type { Connection, PoolClient } from "pg"
import { ConnectionLost, isConnectionError } from "./classifyError.ts"
import { explainError } from "./preparedStatements.ts"
import { NoAnswer, type PreparedStatements, RoundTrip, type Statement } from "./RoundTrip.ts"
import { findPlan, type SendPlan } from "./statementHints.ts"

export interface ConnectionOptions {
  /** Off for a pooler that hands out another session for each transaction and cannot follow prepared statements. */
  readonly prepare: boolean
  /** How long an answer may take before the connection counts as lost; 0 is for ever. */
  readonly answerWithinMs: number
}

/** What `pg` says of a statement, as far as anybody looks at it. */
interface Said {
  readonly rows: ReadonlyArray<unknown>
  readonly command: string
}

type Callback = (error: unknown, said?: Said) => void

/** A statement that waits to be sent. Nobody waits for one that is not awaited, so it waits for one that is. */
interface Asked {
  readonly statement: Statement
  readonly answer: Callback | undefined
}

const nothing: Said = { rows: [], command: "" }

/** A client of `pg`, for one at a time. */
export class PipelinedClient {
  /** Gives it back; set again for everybody who takes it. */
  release: (error?: unknown) => void = () => {}
  private readonly client: PoolClient
  private readonly options: ConnectionOptions
  private readonly prepared: PreparedStatements
  private opening: Array<Statement> = []
  private asked: Array<Asked> = []
  private lost: ConnectionLost | undefined
  /** What was sent before somebody else's statement failed, and nobody has heard of it. */
  private failed: unknown
  /** Whether the transaction that it is in is one of ours, which waits for an answer as long as we do. */
  private isOurs = false
  // The driver had a queue and will not have it for ever: it takes one thing after the other.
  private readonly waiting: Array<() => void> = []
  private underWay = false

  constructor(client: PoolClient, options: ConnectionOptions) {
    this.client = client
    this.options = options
    this.prepared = preparedOn(client)
  }

  /** By which `@effect/sql-pg` cancels. */
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

  /** It goes back to its pool if it is as good as new; else it is thrown away and the pool makes another. */
  end(error: unknown, giveBack: (destroy: boolean) => void): void {
    const isSound = error === undefined && this.isSound()
    // From one that is thrown away the database may still be heard.
    if (!isSound) this.client.on("error", () => {})
    this.isOurs = false
    giveBack(!isSound)
  }

  /** Whether it may be used again: it is there, and in no transaction. */
  isSound(): boolean {
    return this.lost === undefined && this.failed === undefined && this.opening.length === 0 &&
      this.asked.length === 0 && this.client.getTransactionStatus() === "I"
  }

  query(text: unknown, values?: unknown, callback?: Callback): unknown {
    const plan = callback !== undefined && typeof text === "string" ? findPlan(text) : undefined
    return plan === undefined || callback === undefined
      ? this.pass(text, values, callback)
      : this.ask(plan, values as ReadonlyArray<Value>, callback)
  }

  private ask({ how, name, text }: SendPlan, values: ReadonlyArray<Value>, callback: Callback): void {
    const statement = { name: this.options.prepare ? name : "", text, values }
    switch (how) {
      case "opens":
        this.isOurs = true
        this.opening.push(statement)
        return callback(null, nothing)
      case "later":
        this.asked.push({ statement, answer: undefined })
        return callback(null, nothing)
      case "foreign":
        return this.awaited({ ...statement, readerOf: (type) => this.client.getTypeParser(type) }, callback)
      case "control":
        if (text.startsWith("rollback")) this.failed = undefined
        if (text === "rollback") this.asked = this.asked.filter(({ answer }) => answer !== undefined)
        // A transaction in which nothing was asked has never begun.
        if ((text === "commit" || text === "rollback") && this.opening.length > 0 && this.asked.length === 0) {
          this.opening = []
          return callback(null, { rows: [], command: text.toUpperCase() })
        }
        return this.awaited(statement, callback)
      case "now":
        return this.awaited(statement, callback)
    }
  }

  private awaited(statement: Statement, callback: Callback): void {
    const failure = this.lost ?? this.failed
    if (failure !== undefined) return callback(failure)
    if (this.asked.every(({ answer }) => answer === undefined)) queueMicrotask(() => this.send())
    this.asked.push({ statement, answer: callback })
  }

  /** Statements that are asked for at the same time travel together. */
  private send(): void {
    const { asked, opening } = this
    if (asked.length === 0 && opening.length === 0) return
    this.asked = []
    this.opening = []
    const ahead = opening.length
    const statements = ahead === 0
      ? asked.map(({ statement }) => statement)
      : [...opening, ...asked.map(({ statement }) => statement)]
    this.submit(() =>
      this.client.query(
        new RoundTrip(statements, this.prepared, this.options.answerWithinMs, (answers, error) => {
          if (error !== undefined && isConnectionError(error)) this.lost = new ConnectionLost(error)
          const failedAt = answers.length
          const errorOf = (at: number): unknown => {
            const cause = explainError(error)
            // What opens a transaction nobody has asked for, so its failure is that of each.
            if (this.lost !== undefined || failedAt < ahead || at === failedAt) return this.lost ?? cause
            return new EarlierFailed({ text: statements[failedAt]?.text ?? "", cause })
          }
          if (error !== undefined && asked.every(({ answer }) => answer === undefined)) this.failed = errorOf(-1)
          this.next()
          asked.forEach(({ answer }, index) => {
            if (answer === undefined) return
            const said = answers[ahead + index]
            if (said === undefined) return answer(errorOf(ahead + index))
            if ("unreadable" in said) return answer(said.unreadable)
            answer(null, said)
          })
        })
      )
    )
  }

  /** What somebody else says over this client. */
  private pass(text: unknown, values: unknown, callback: Callback | undefined): unknown {
    this.send()
    const query = this.client.query.bind(this.client) as (...query: ReadonlyArray<unknown>) => unknown
    // A cursor, which is answered as it is read.
    if (callback === undefined) return values === undefined ? query(text) : query(text, values)
    const said = typeof text === "string" ? text : ""
    this.submit(() => {
      if (/^rollback/i.test(said)) this.failed = undefined
      const failure = this.lost ?? this.failed
      if (failure !== undefined) {
        this.next()
        return callback(failure)
      }
      const timer = this.isOurs && this.options.answerWithinMs > 0
        ? setTimeout(() => {
          const { stream } = (this.client as unknown as { readonly connection: Connection }).connection
          stream.destroy(new NoAnswer(this.options.answerWithinMs))
        }, this.options.answerWithinMs)
        : undefined
      query(text, values, (error: unknown, result: Said | undefined) => {
        clearTimeout(timer)
        const isLost = error !== null && error !== undefined && isConnectionError(error)
        if (isLost) this.lost = new ConnectionLost(error)
        this.next()
        if (isLost) return callback(this.lost)
        // Postgres takes the commit of a transaction that has failed, and rolls it back: to `@effect/sql` that is a success.
        if (result?.command === "ROLLBACK" && /^commit/i.test(said)) {
          return callback(new Error("Postgres answers ROLLBACK to COMMIT: a statement of the transaction has failed."))
        }
        callback(error, result)
      })
    })
    return undefined
  }

  private submit(start: () => void): void {
    if (this.underWay) return void this.waiting.push(start)
    this.underWay = true
    start()
  }

  private next(): void {
    this.underWay = false
    const start = this.waiting.shift()
    if (start !== undefined) this.submit(start)
  }
}

/** A client outlives those who take it, and may be in more than one pool of ours. */
const known = new WeakMap<PoolClient, PreparedStatements>()

const preparedOn = (client: PoolClient): PreparedStatements => {
  const found = known.get(client)
  if (found !== undefined) return found
  const made: PreparedStatements = new Map()
  known.set(client, made)
  return made
}
