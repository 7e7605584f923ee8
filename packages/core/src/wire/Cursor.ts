/**
 * Implements keyset pagination. A cursor is the sort key of the last row on a page, so rows added or removed between
 * two requests cause neither duplicates nor gaps.
 */
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import { invalid, type Refusal } from "../Refusal.ts"

/** A position in a list: a numeric sort key, such as epoch milliseconds, and the row's ID. */
export interface Position {
  readonly at: number
  readonly id: string
}

/** Returns a row's position in a list ordered by creation time. */
export const toCreationPosition = (
  { createdAt: at, id }: { readonly createdAt: number; readonly id: string }
): Position => ({ at, id })

/** Returns a row's position in a list ordered by start. */
export const toStartPosition = (
  { id, startsAt: at }: { readonly startsAt: number; readonly id: string }
): Position => ({ at, id })

/** The default page size. */
export const defaultPageSize = 100

/** The maximum page size. */
export const maxPageSize = 500

/**
 * Creates the cursors for one list in one order. A cursor for another list is rejected, because it would select the
 * wrong page.
 */
export const makeCursors = (list: string) => {
  const write = ({ at, id }: Position): string => Encoding.encodeBase64Url(`${list} ${at} ${id}`)
  return {
    read: (cursor: string): Effect.Effect<Position, Refusal<"invalid_request">> => {
      const decoded = Encoding.decodeBase64UrlString(cursor)
      const parts = decoded._tag === "Right" ? /^(.*) (\d{1,15}) ([0-9a-f-]{36})$/.exec(decoded.right) : null
      return parts?.[1] !== list || parts[2] === undefined || parts[3] === undefined
        ? Effect.fail(invalid("cursor: must be the next_cursor of an earlier response to the same request"))
        : Effect.succeed({ at: Number(parts[2]), id: parts[3] })
    },
    /**
     * Builds a page from a store's rows. Query one more row than the limit, so that this function can tell whether
     * there is a next page.
     */
    page: <Row, View>(
      rows: ReadonlyArray<Row>,
      limit: number,
      view: (row: Row) => View,
      positionOf: (row: Row) => Position
    ) => toPage(rows, limit, view, (last) => write(positionOf(last)))
  }
}

/** Builds a page with a custom cursor format. */
export const toPage = <Row, View>(
  rows: ReadonlyArray<Row>,
  limit: number,
  view: (row: Row) => View,
  cursorOf: (last: Row) => string
): { readonly data: ReadonlyArray<View>; readonly next_cursor?: string } => {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const data = page.map(view)
  return rows.length > limit && last !== undefined ? { data, next_cursor: cursorOf(last) } : { data }
}
