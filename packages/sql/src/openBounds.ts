/**
 * Where lists begin and end when nothing is said: outside every instant, so one
 * text serves with and without a bound.
 */
import type { Position } from "@trailbook/core/wire/Cursor"

/** Before every row. */
export const minInstant: Position = { at: -1, id: "" }

/** After every row. */
export const maxInstant: Position = { at: Number.MAX_SAFE_INTEGER, id: "" }
