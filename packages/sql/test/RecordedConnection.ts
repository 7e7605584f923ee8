import type { Connection } from "@trailbook/sql/Connection"
import * as Database from "@trailbook/sql/Database"
import type { Dialect, SqlValue } from "@trailbook/sql/Dialect"
import * as Effect from "effect/Effect"

/** The error of a database that is temporarily unavailable. */
export const unavailableError = "unavailable"

/** The error of a transaction that lost a conflict with another one. */
export const deadlockError = "deadlock"

const dialect: Dialect = {
  table: (name) => name,
  records: (parameter) => parameter,
  now: "0",
  gathered: () => "",
  lateral: false,
  isOutOfProcess: false,
  locksRows: false,
  lockNames: undefined,
  jsonText: (column: string) => column,
  holds: (text, part) => `${text} holds ${part}`,
  words: (text) => text,
  isUnavailable: (error) => error === unavailableError,
  heartbeat: [],
  isContended: (error) => error === deadlockError
}

/**
 * A database that records all statements and their tenants instead of running them. The statements in `fails` fail with
 * their error, at most `times` times in total. As on SQLite, one connection serves all transactions.
 */
export const recordDatabase = (fails: Readonly<Record<string, unknown>> = {}, times = Infinity) => {
  const log: Array<string> = []
  let timesLeft = times
  const tenants: Array<ReadonlyArray<string> | undefined> = []
  const worksFor = (orgIds: ReadonlyArray<string> | undefined) => Effect.sync(() => void tenants.push(orgIds))
  const say = <A>(name: string, text: string, answer: A): Effect.Effect<A, unknown> =>
    Effect.suspend(() => {
      log.push(`${name}: ${text}`)
      const failure = fails[text]
      return failure === undefined || timesLeft-- <= 0 ? Effect.succeed(answer) : Effect.fail(failure)
    })
  const connection = (name: string): Connection => ({
    run: (text) => say(name, text, []),
    write: (text) => say(name, text, undefined),
    foreign: (text) => say(name, text, []),
    control: (text) => say(name, text, undefined)
  })

  const free = Effect.unsafeMakeSemaphore(1)
  const lane = (name: string, begin: string) => ({
    acquire: Effect.uninterruptibleMask((restore) =>
      restore(free.take(1)).pipe(
        Effect.zipRight(Effect.addFinalizer(() => Effect.tap(free.release(1), () => log.push(`${name} is free`)))),
        Effect.as(connection(name))
      )
    ),
    begin: ({ control }: Connection, orgIds: ReadonlyArray<string> | undefined) =>
      Effect.zipRight(worksFor(orgIds), control(begin)),
    truncateLog: () => Effect.sync(() => void log.push(`${name}: truncate`))
  })
  const database = Database.make({
    dialect,
    reader: {
      run: <Row>(text: string, values: ReadonlyArray<SqlValue>, orgIds: ReadonlyArray<string> | undefined) =>
        Effect.zipRight(worksFor(orgIds), connection("reader").run<Row>(text, values))
    },
    units: lane("writer", "begin immediate"),
    snapshots: lane("snapshot", "begin")
  })
  return { database, log, tenants }
}
