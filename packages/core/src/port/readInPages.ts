import * as Effect from "effect/Effect"
import { yieldToEventLoop } from "../concurrency/scheduler.ts"
import type { Refusal } from "../Refusal.ts"
import * as Cursor from "../wire/Cursor.ts"

/**
 * Reads up to `limit` rows in pages of `atOnce` rows. Yields between pages, because on SQLite, both running the query
 * and creating objects from its rows block the event loop.
 */
export const readInPages = <Row>(query: {
  readonly limit: number
  readonly atOnce: number
  readonly after?: Cursor.Position | undefined
  readonly positionOf: (row: Row) => Cursor.Position
  readonly read: (after: Cursor.Position | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>>
}): Effect.Effect<ReadonlyArray<Row>> => {
  const { atOnce, limit, positionOf, read } = query
  // Most lists fit on one page.
  if (limit <= atOnce) return read(query.after, limit)
  const step = (rows: ReadonlyArray<Row>, after: Cursor.Position | undefined): Effect.Effect<ReadonlyArray<Row>> => {
    const pageSize = Math.min(atOnce, limit - rows.length)
    return Effect.flatMap(read(after, pageSize), (page) => {
      const all = rows.length === 0 ? page : [...rows, ...page]
      const last = page.at(-1)
      return last === undefined || page.length < pageSize || all.length === limit
        ? Effect.succeed(all)
        : Effect.zipRight(yieldToEventLoop, step(all, positionOf(last)))
    })
  }
  return step([], query.after)
}

/** The page size for rows with up to 16 KiB of metadata. */
export const largeRowPageSize = 25

/** The page size for rows without metadata. */
export const smallRowPageSize = 101

/**
 * Creates a handler for a paginated list. It decodes the cursor, reads the rows in steps, and encodes the next cursor.
 * `name` identifies the list and its order, so that a cursor from another list is rejected.
 */
export const makePaginatedHandler = <Row, View>(
  name: string,
  atOnce: number,
  positionOf: (row: Row) => Cursor.Position,
  view: (row: Row) => View
) => {
  const cursors = Cursor.makeCursors(name)
  return (
    { cursor, limit = Cursor.defaultPageSize }: {
      readonly cursor?: string | undefined
      readonly limit?: number | undefined
    },
    readPage: (after: Cursor.Position | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>>
  ): Effect.Effect<ReturnType<typeof cursors.page<Row, View>>, Refusal<"invalid_request">> =>
    Effect.gen(function*() {
      const after = cursor === undefined ? undefined : yield* cursors.read(cursor)
      const rows = yield* readInPages({ limit: limit + 1, atOnce, after, positionOf, read: readPage })
      return cursors.page(rows, limit, view, positionOf)
    })
}
