import * as Effect from "effect/Effect"
import { yieldToEventLoop } from "../concurrency/yieldToEventLoop.ts"
import type { Position } from "../wire/Cursor.ts"

/**
 * Reads up to `limit` rows, so many at a time, each time after the last one that
 * was read. Between two steps others get their turn: on SQLite a statement keeps
 * everybody waiting for as long as it takes, and so does making objects of its rows.
 *
 * @category reading
 */
export const readInPages = <Row>(query: {
  readonly limit: number
  readonly atOnce: number
  readonly after?: Position | undefined
  readonly positionOf: (row: Row) => Position
  readonly read: (after: Position | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>>
}): Effect.Effect<ReadonlyArray<Row>> => {
  const { atOnce, limit, positionOf, read } = query
  // Most lists fit into one.
  if (limit <= atOnce) return read(query.after, limit)
  const step = (rows: ReadonlyArray<Row>, after: Position | undefined): Effect.Effect<ReadonlyArray<Row>> => {
    const asked = Math.min(atOnce, limit - rows.length)
    return Effect.flatMap(read(after, asked), (found) => {
      const all = rows.length === 0 ? found : [...rows, ...found]
      const last = found.at(-1)
      return last === undefined || found.length < asked || all.length === limit
        ? Effect.succeed(all)
        : Effect.zipRight(yieldToEventLoop, step(all, positionOf(last)))
    })
  }
  return step([], query.after)
}

/**
 * How many rows are read at a time where each may hold 16 KiB of metadata.
 *
 * @category constants
 */
export const largeRowPageSize = 25

/**
 * How many rows are read at a time where none holds much more than a text of notes.
 *
 * @category constants
 */
export const smallRowPageSize = 101
