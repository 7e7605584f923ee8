/** Default list bounds. They are outside the range of instants, so the same text works with and without a bound. */
import type { Position } from "@trailbook/core/wire/Cursor"

/** Before every row. */
export const minInstant: Position = { at: -1, id: "" }

/** After every row. */
export const maxInstant: Position = { at: Number.MAX_SAFE_INTEGER, id: "" }
