/**
 * Keyset paging: a cursor is the sort key of the last row of a page, so rows
 * that come and go between two pages neither repeat nor hide others.
 */
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import { invalid, type Refusal } from "../Refusal.ts"

/**
 * Where a page ended: a moment in epoch milliseconds, then the row's id.
 *
 * @category models
 */
export interface Position {
  readonly at: number
  readonly id: string
}

/**
 * The place of a row in a list by creation.
 *
 * @category getters
 */
export const creationPosition = (
  { createdAt: at, id }: { readonly createdAt: number; readonly id: string }
): Position => ({
  at,
  id
})

/**
 * The place of a row in a list by start.
 *
 * @category getters
 */
export const startPosition = ({ id, startsAt: at }: { readonly startsAt: number; readonly id: string }): Position => ({
  at,
  id
})

/**
 * How many rows a list gives when nothing is said.
 *
 * @category constants
 */
export const defaultLimit = 100

/**
 * The cursors of one list, in one order: one of another list, which would mean
 * some other page here, is refused.
 *
 * @category models
 */
export interface Cursors {
  readonly read: (cursor: string) => Effect.Effect<Position, Refusal<"invalid_request">>
  /**
   * A page of what a store found. Ask it for one row more than the limit: that
   * row only tells that there is a next page.
   */
  readonly page: <Row, View>(
    rows: ReadonlyArray<Row>,
    limit: number,
    view: (row: Row) => View,
    positionOf: (row: Row) => Position
  ) => { readonly data: ReadonlyArray<View>; readonly next_cursor?: string }
}

/**
 * @category constructors
 */
export const makeCursors = (list: string): Cursors => {
  const write = ({ at, id }: Position): string => Encoding.encodeBase64Url(`${list} ${at} ${id}`)
  return {
    read: (cursor) => {
      const decoded = Encoding.decodeBase64UrlString(cursor)
      const parts = decoded._tag === "Right" ? /^(.*) (\d{1,15}) ([0-9a-f-]{36})$/.exec(decoded.right) : null
      return parts?.[1] !== list || parts[2] === undefined || parts[3] === undefined
        ? Effect.fail(invalid("cursor: must be the next_cursor of an earlier answer to the same question"))
        : Effect.succeed({ at: Number(parts[2]), id: parts[3] })
    },
    page: (rows, limit, view, positionOf) => toPage(rows, limit, view, (last) => write(positionOf(last)))
  }
}

/**
 * A page whose cursor is written otherwise.
 *
 * @category constructors
 */
export const toPage = <Row, View>(
  rows: ReadonlyArray<Row>,
  limit: number,
  view: (row: Row) => View,
  cursorOf: (last: Row) => string
): { readonly data: ReadonlyArray<View>; readonly next_cursor?: string } => {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const data = shown.map(view)
  return rows.length > limit && last !== undefined ? { data, next_cursor: cursorOf(last) } : { data }
}
