import type { Position } from "@trailbook/core/wire/Cursor"
import * as Effect from "effect/Effect"
import { assert } from "vitest"

/** Reads all rows of a list page by page with its cursor. Asserts that only the last page is short. */
export const readAllPages = <Row, R, At = Position>(
  limit: number,
  page: (after: At | undefined) => Effect.Effect<ReadonlyArray<Row>, never, R>,
  positionOf: (row: Row) => At
): Effect.Effect<ReadonlyArray<Row>, never, R> =>
  Effect.gen(function*() {
    const rows: Array<Row> = []
    let after: At | undefined
    // Stop after 200 pages, in case a list never ends.
    for (let pages = 0; pages < 200; pages++) {
      const found = yield* page(after)
      assert.isAtMost(found.length, limit, "a page is longer than its limit")
      rows.push(...found)
      const last = found.at(-1)
      if (last === undefined || found.length < limit) return rows
      after = positionOf(last)
    }
    return assert.fail("the last page was not reached")
  })

/** A row's position in a list sorted by creation time. */
export const creationPosition = (
  { createdAt: at, id }: { readonly createdAt: Position["at"]; readonly id: string }
): Position => ({
  at,
  id
})
