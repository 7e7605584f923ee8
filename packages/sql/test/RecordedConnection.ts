import type { Connection } from "@trailbook/sql/Connection"
import * as Database from "@trailbook/sql/Database"
import type { Dialect } from "@trailbook/sql/Dialect"
import * as Effect from "effect/Effect"

/** Says that the database is gone for now. */
export const gone = "gone"

const dialect: Dialect = {
  table: (name) => name,
  records: (parameter) => parameter,
  gathered: () => "",
  forUpdate: () => "",
  contains: (text, pattern) => `${text} like ${pattern}`,
  pattern: (wanted) => wanted,
  isUnavailable: (error) => error === gone
}

/**
 * A database of which only the conversation is kept: every statement is written
 * down, and those that are listed fail with what stands there. One connection
 * is there for units of work, as on SQLite.
 */
export const recorded = (fails: Readonly<Record<string, unknown>> = {}) => {
  const said: Array<string> = []
  const say = <A>(name: string, text: string, answer: A): Effect.Effect<A, unknown> =>
    Effect.suspend(() => {
      said.push(`${name}: ${text}`)
      return text in fails ? Effect.fail(fails[text]) : Effect.succeed(answer)
    })
  const connection = (name: string): Connection => ({
    run: (text) => say(name, text, []),
    control: (text) => say(name, text, undefined)
  })

  const free = Effect.unsafeMakeSemaphore(1)
  const lane = (name: string, begin: string) => ({
    acquire: Effect.uninterruptibleMask((restore) =>
      restore(free.take(1)).pipe(
        Effect.zipRight(Effect.addFinalizer(() => Effect.tap(free.release(1), () => said.push(`${name} is free`)))),
        Effect.as(connection(name))
      )
    ),
    begin: ({ control }: Connection) => control(begin),
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
