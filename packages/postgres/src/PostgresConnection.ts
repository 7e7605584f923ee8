/**
 * @since 0.1.0
 */
import type { Connection } from "@trailbook/sql/Connection"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import type { PoolClient } from "pg"
import { ConnectionLost, endsConnection } from "./failure.ts"
import { type Prepared, RoundTrip, type Statement } from "./RoundTrip.ts"

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
  let ahead: ReadonlyArray<Statement> = []
  let lost: ConnectionLost | undefined

  const send = <Row>(statement: Statement, expected?: string): Effect.Effect<ReadonlyArray<Row>, unknown> =>
    Effect.uninterruptible(Effect.async((resume) => {
      if (lost !== undefined) return resume(Effect.fail(lost))
      const statements = [...ahead, statement]
      ahead = []
      client.query(
        new RoundTrip(statements, prepared, answerWithinMs, (answer) => {
          if (!("error" in answer)) {
            return resume(
              expected === undefined || answer.command === expected
                ? Effect.succeed(answer.rows as ReadonlyArray<Row>)
                : Effect.fail(new Error(`Postgres answers ${answer.command} to ${expected}.`))
            )
          }
          if (answer.unreadable !== true && endsConnection(answer.error)) lost = new ConnectionLost(answer.error)
          resume(Effect.fail(lost ?? answer.error))
        })
      )
    }))

  return {
    run: (text, values) => send({ name: prepare ? nameOf(text) : "", text, values }),
    control: (text) =>
      Effect.suspend(() => {
        // A transaction in which nothing was asked has never begun.
        if (ahead.length > 0 && (text === "commit" || text === "rollback")) {
          ahead = []
          return Effect.void
        }
        // Postgres takes the commit of a transaction that has failed, and rolls it back.
        return Effect.asVoid(send({ name: "", text, values: [] }, text === "commit" ? "COMMIT" : undefined))
      }),
    precede: (statements) => {
      ahead = statements
    },
    isSound: () => lost === undefined && ahead.length === 0 && client.getTransactionStatus() === "I"
  }
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
