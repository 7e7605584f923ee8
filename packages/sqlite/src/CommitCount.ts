/**
 * @since 0.1.0
 */
import type { Connection } from "@trailbook/sql/Connection"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SqliteConnection } from "./SqliteConnection.ts"

/**
 * A number that is another one after every commit: of this process at once, of
 * another process within {@link noticedWithinMs}. Without an answer it is not
 * known.
 *
 * @since 0.1.0
 * @category services
 */
export class CommitCount
  extends Context.Tag("@trailbook/sqlite/CommitCount")<CommitCount, () => number | undefined>()
{}

/**
 * How old may be what is known of other processes. SQLite is asked by a
 * statement, which costs a request more than everything else it does about its
 * key.
 *
 * @since 0.1.0
 * @category constants
 */
export const noticedWithinMs = 5

/**
 * @since 0.1.0
 * @category models
 */
export interface Counter {
  readonly count: CommitCount["Type"]
  /** The same connection, whose commits are counted. */
  readonly counted: (writer: SqliteConnection) => SqliteConnection
}

/**
 * What a reader's connection sees, with what is committed by our own writer.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ driver }: SqliteConnection): Counter => {
  const asked = driver.prepare<[], number>("pragma data_version").pluck()
  let commits = 0
  let version: number | undefined
  let askedAt = -Infinity
  const ask = (): number | undefined => {
    try {
      return asked.get()
    } catch {
      return undefined
    }
  }
  return {
    count: () => {
      const now = performance.now()
      if (now - askedAt >= noticedWithinMs) {
        const current = ask()
        if (current !== version) commits++
        version = current
        askedAt = now
      }
      return version === undefined ? undefined : commits
    },
    counted: (writer) => ({
      ...writer,
      control: (text): ReturnType<Connection["control"]> =>
        text === "commit"
          ? Effect.ensuring(writer.control(text), Effect.sync(() => commits++))
          : writer.control(text)
    })
  }
}
