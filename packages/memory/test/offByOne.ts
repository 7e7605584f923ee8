/** Off-by-one errors that adapters make. */
import * as Instant from "@trailbook/core/time/Instant"
import type { Position } from "@trailbook/core/wire"

export const minus = (moment: Instant.Instant) => Instant.make(moment - 1)
export const plus = (moment: Instant.Instant) => Instant.make(moment + 1)
export const plusOrAll = (moment: Instant.Instant | undefined) => moment === undefined ? undefined : plus(moment)

export const takeFirst = <Row>(rows: ReadonlyArray<Row>) => rows.slice(0, 1)

/** A cursor that compares only the time. Rows with equal times get lost between pages. */
export const dropTie = (after: Position | undefined): Position | undefined =>
  after === undefined ? undefined : { at: after.at, id: "~" }

/** A cursor that compares only the time, for lists in descending order. */
export const dropTieDown = (after: Position | undefined): Position | undefined =>
  after === undefined ? undefined : { at: after.at, id: "" }
