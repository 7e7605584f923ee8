import type { Tell } from "@trailbook/core/operation/Part"
import * as Effect from "effect/Effect"

/** Rows per chunk. Each row can contain 16 KiB of metadata. */
const rowsAtOnce = 25

/** Emits a complete response in chunks of 25 rows, so that serializing a long list does not block the event loop. */
export const emitInChunks = (answer: unknown, tell: Tell): Effect.Effect<void> =>
  Effect.forEach(Object.entries(answer ?? {}), ([name, value]: [string, unknown]) => {
    if (value === undefined) return Effect.void
    if (!Array.isArray(value) || value.length <= rowsAtOnce) return tell({ name, value })
    const parts = Array.from({ length: Math.ceil(value.length / rowsAtOnce) }, (_, at) => at * rowsAtOnce)
    return Effect.forEach(parts, (at) => tell({ name, rows: value.slice(at, at + rowsAtOnce) }), { discard: true })
  }, { discard: true })
