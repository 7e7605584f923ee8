import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Database from "@trailbook/sql/Database"
import type { Dialect } from "@trailbook/sql/Dialect"
import * as Effect from "effect/Effect"

/** Says that the database is gone for now. */
export const gone = "gone"

const dialect: Dialect = {
  records: (parameter) => parameter,
  gathered: () => "",
  forUpdate: () => "",
  contains: (text, pattern) => `${text} like ${pattern}`,
  pattern: (wanted) => wanted,
  bind: (values) => values,
  isUnavailable: (error) => error === gone
}

/**
 * A database of which only the conversation is kept: every statement is written
 * down, and those that are listed fail with what stands there. One connection
 * is there for units of work, as on SQLite.
 */
export const recorded = (fails: Readonly<Record<string, unknown>> = {}) => {
  const said: Array<string> = []
  const execute = (name: string) => (text: string) =>
    Effect.suspend(() => {
      said.push(`${name}: ${text}`)
      return text in fails ? Effect.fail(new SqlError({ cause: fails[text], message: "Failed." })) : Effect.succeed([])
    })
  const notUsed = () => Effect.dieMessage("The seam uses execute alone.")
  const connection = (name: string): Connection => ({
    execute: execute(name),
    executeRaw: notUsed,
    executeStream: () => {
      throw new Error("The seam uses execute alone.")
    },
    executeUnprepared: notUsed,
    executeValues: notUsed
  })

  const free = Effect.unsafeMakeSemaphore(1)
  const lane = (name: string, begin: string) => ({
    acquire: Effect.uninterruptibleMask((restore) =>
      restore(free.take(1)).pipe(
        Effect.zipRight(Effect.addFinalizer(() => Effect.tap(free.release(1), () => said.push(`${name} is free`)))),
        Effect.as(connection(name))
      )
    ),
    begin,
    wipe: () => Effect.sync(() => void said.push(`${name}: wipe`))
  })
  const database = Database.make({
    dialect,
    reader: connection("reader"),
    units: lane("writer", "begin immediate"),
    snapshots: lane("snapshot", "begin")
  })
  return { database, said }
}
