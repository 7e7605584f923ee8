import * as Effect from "effect/Effect"
import { readInPages } from "../port/readInPages.ts"
import type { Refusal } from "../Refusal.ts"
import * as Cursor from "../wire/Cursor.ts"

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
