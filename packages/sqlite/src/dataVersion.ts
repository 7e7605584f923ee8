import type { Connection } from "@trailbook/sql/Connection"
import type { ReservedConnection } from "@trailbook/sql/reservedConnection"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * A number that is another one after every commit: of this process at once, of
 * another process within {@link noticedWithinMs}. Without an answer it is not
 * known.
 */
export class DataVersion
  extends Context.Tag("@trailbook/sqlite/dataVersion")<DataVersion, Effect.Effect<number | undefined>>()
{}

/**
 * How old may be what is known of other processes. SQLite is asked by a
 * statement, which costs a request more than everything else it does about its
 * key.
 */
export const noticedWithinMs = 5

export interface Counter {
  readonly count: DataVersion["Type"]
  /** The same connection, whose commits are counted. */
  readonly counted: (writer: ReservedConnection) => ReservedConnection
}

/** What a reader's connection sees, with what is committed by our own writer. */
export const make = ({ run }: ReservedConnection): Counter => {
  let commits = 0
  let version: number | undefined
  let askedAt = -Infinity
  const known = () => version === undefined ? undefined : commits
  const heard = (current: number | undefined) => {
    if (current !== version) commits++
    version = current
    return known()
  }
  const ask = Effect.match(run<{ readonly data_version: number }>("pragma data_version", []), {
    onFailure: () => heard(undefined),
    onSuccess: ([row]) => heard(row?.data_version)
  })
  return {
    count: Effect.suspend(() => {
      const now = performance.now()
      if (now - askedAt < noticedWithinMs) return Effect.succeed(known())
      askedAt = now
      return ask
    }),
    counted: (writer) => ({
      ...writer,
      control: (text): ReturnType<Connection["control"]> =>
        text === "commit"
          ? Effect.flatMap(Effect.exit(writer.control(text)), (exit) => {
            commits++
            return exit
          })
          : writer.control(text)
    })
  }
}
