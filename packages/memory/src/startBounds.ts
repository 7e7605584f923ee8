import type { Instant } from "@trailbook/core/time/Instant"
import type { Position } from "@trailbook/core/wire/Cursor"
import type { Bounds } from "./Table.ts"

/**
 * Converts `from <= startsAt < to` and the position of a page to bounds of the order by start and ID. The position
 * replaces the bound that it has passed.
 */
export const startBounds = ({ after, from, order, to }: {
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
  readonly order: "asc" | "desc"
  readonly after?: Position | undefined
}): Bounds => {
  // IDs are never empty, so these positions are just before all rows that start at the bound.
  const low = from === undefined ? undefined : { at: from, id: "" }
  const high = to === undefined ? undefined : { at: to, id: "" }
  return {
    order,
    above: order === "asc" ? later(low, after) : low,
    below: order === "desc" ? earlier(high, after) : high
  }
}

const isBefore = (a: Position, b: Position): boolean => a.at === b.at ? a.id < b.id : a.at < b.at

const later = (a: Position | undefined, b: Position | undefined): Position | undefined =>
  a === undefined || (b !== undefined && isBefore(a, b)) ? b : a

const earlier = (a: Position | undefined, b: Position | undefined): Position | undefined =>
  a === undefined || (b !== undefined && isBefore(b, a)) ? b : a
