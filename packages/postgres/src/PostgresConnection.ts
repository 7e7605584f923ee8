/**
 * @since 0.1.0
 */
import { type Connection, EarlierFailed } from "@trailbook/sql/Connection"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import type { PoolClient } from "pg"
import { ConnectionLost, endsConnection } from "./failure.ts"
import { explained } from "./preparation.ts"
import { type Answer, type Prepared, RoundTrip, type Statement } from "./RoundTrip.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface PostgresConnection extends Connection {
  /** Goes along with the next statement, in front of it. */
  readonly precede: (statements: ReadonlyArray<Statement>) => void
  /** Whether it may be used again: it is there, and in no transaction. */
  readonly isSound: () => boolean
}

/**
 * @since 0.1.0
 * @category models
 */
export interface ConnectionOptions {
  /** Off for a pooler that hands out another session for each transaction and cannot follow prepared statements. */
  readonly prepare: boolean
  /** How long an answer may take before the connection counts as lost; 0 is for ever. */
  readonly answerWithinMs: number
}

/**
 * A connection over a client of `pg` that is nobody else's.
 *
 * A statement cannot be interrupted: what was sent is answered, and only then is
 * the connection free. It takes no longer than the database lets it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (client: PoolClient, { answerWithinMs, prepare }: ConnectionOptions): PostgresConnection => {
  const prepared = preparedOn(client)
  let opening: ReadonlyArray<Statement> = []
  let asked: Array<Asked> = []
  let lost: ConnectionLost | undefined

  // The driver had a queue and will not have it for ever: it takes one round trip after the other.
  const waiting: Array<RoundTrip> = []
  let underWay = false
  const submit = (trip: RoundTrip): void => {
    if (underWay) return void waiting.push(trip)
    underWay = true
    client.query(trip)
  }
  const next = (): void => {
    underWay = false
    const trip = waiting.shift()
    if (trip !== undefined) submit(trip)
  }

  /** Statements that are asked for at the same time travel together. */
  const send = (): void => {
    const under = asked
    if (under.length === 0) return
    asked = []
    const ahead = opening.length
    const statements = [...opening, ...under.map(({ statement }) => statement)]
    opening = []
    submit(
      new RoundTrip(statements, prepared, answerWithinMs, (answers, error) => {
        next()
        if (error !== undefined && endsConnection(error)) lost = new ConnectionLost(error)
        const failedAt = answers.length
        const errorOf = (at: number): unknown => {
          const cause = explained(error)
          // What precedes them nobody has asked for, so its failure is that of each.
          if (lost !== undefined || failedAt < ahead || at === failedAt) return lost ?? cause
          return new EarlierFailed({ text: statements[failedAt]?.text ?? "", cause })
        }
        under.forEach(({ resume }, index) => {
          const at = ahead + index
          resume(answers[at] ?? { error: errorOf(at) })
        })
      })
    )
  }

  const run = <Row>(statement: Statement, expected?: string): Effect.Effect<ReadonlyArray<Row>, unknown> =>
    Effect.uninterruptible(Effect.async((resume) => {
      if (lost !== undefined) return resume(Effect.fail(lost))
      if (asked.every(({ awaited }) => !awaited)) queueMicrotask(send)
      asked.push({
        statement,
        awaited: true,
        resume: (said) => {
          if ("error" in said) return resume(Effect.fail(said.error))
          if ("unreadable" in said) return resume(Effect.fail(said.unreadable))
          resume(
            expected === undefined || said.command === expected
              ? Effect.succeed(said.rows as ReadonlyArray<Row>)
              : Effect.fail(new Error(`Postgres answers ${said.command} to ${expected}.`))
          )
        }
      })
    }))

  return {
    run: (text, values) => run({ name: prepare ? nameOf(text) : "", text, values }),
    write: (text, values) =>
      Effect.sync(() => {
        asked.push({ statement: { name: prepare ? nameOf(text) : "", text, values }, awaited: false, resume: () => {} })
      }),
    foreign: (text, values) => run<unknown>({ name: "", text, values, readerOf: (type) => client.getTypeParser(type) }),
    control: (text) =>
      Effect.suspend(() => {
        const ends = text === "commit" || text === "rollback"
        if (text === "rollback") asked = asked.filter(({ awaited }) => awaited)
        // A transaction in which nothing was asked has never begun.
        if (ends && opening.length > 0 && asked.length === 0) {
          opening = []
          return Effect.void
        }
        // Postgres takes the commit of a transaction that has failed, and rolls it back.
        return Effect.asVoid(run({ name: "", text, values: [] }, text === "commit" ? "COMMIT" : undefined))
      }),
    precede: (statements) => {
      opening = statements
    },
    isSound: () =>
      lost === undefined && opening.length === 0 && asked.length === 0 && client.getTransactionStatus() === "I"
  }
}

/** A statement that waits to be sent. Nobody waits for one that is not awaited, so it waits for one that is. */
interface Asked {
  readonly statement: Statement
  readonly awaited: boolean
  readonly resume: (said: Answer | { readonly error: unknown }) => void
}

/** A client outlives the connections that are made over it. */
const known = new WeakMap<PoolClient, Prepared>()

const preparedOn = (client: PoolClient): Prepared => {
  const found = known.get(client)
  if (found !== undefined) return found
  const made: Prepared = new Map()
  known.set(client, made)
  return made
}

const names = new Map<string, string>()

/** Postgres cuts names at 63 bytes; the text itself would not fit. */
const nameOf = (text: string): string => {
  const found = names.get(text)
  if (found !== undefined) return found
  const name = `trailbook_${createHash("sha256").update(text).digest("hex").slice(0, 40)}`
  names.set(text, name)
  return name
}
