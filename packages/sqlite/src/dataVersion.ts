import type { Connection } from "@trailbook/sql/Connection"
import type { ReservedConnection } from "@trailbook/sql/reservedConnection"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { ReadConnection } from "./SqliteConnection.ts"

/**
 * A number that changes after every commit. It changes immediately for commits by this process, and within {@link
 * maxNoticeDelayMs} for commits by other processes. Undefined if the version is unknown.
 */
export class DataVersion
  extends Context.Tag("@trailbook/sqlite/dataVersion")<DataVersion, Effect.Effect<number | undefined>>()
{}

/**
 * The maximum delay in milliseconds before commits by other processes are noticed. Reading the data version requires a
 * statement, which costs more than the rest of a key lookup.
 */
export const maxNoticeDelayMs = 5

export interface DataVersionCounter {
  readonly count: DataVersion["Type"]
  /** Wraps the writer's connection to count its commits. */
  readonly countCommits: (writer: ReservedConnection) => ReservedConnection
}

/** Combines the data version of a read connection with the number of commits by our own writer. */
export const make = ({ run }: ReadConnection): DataVersionCounter => {
  let commits = 0
  let version: number | undefined
  let readAt = -Infinity
  const getKnownVersion = () => version === undefined ? undefined : commits
  const noteVersion = (current: number | undefined) => {
    if (current !== version) commits++
    version = current
    return getKnownVersion()
  }
  const readVersion = () => {
    const rows = run<{ readonly data_version: number }>("pragma data_version", [])
    return noteVersion(Exit.isSuccess(rows) ? rows.value[0]?.data_version : undefined)
  }
  return {
    count: Effect.sync(() => {
      const now = performance.now()
      if (now - readAt < maxNoticeDelayMs) return getKnownVersion()
      readAt = now
      return readVersion()
    }),
    countCommits: (writer) => ({
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
