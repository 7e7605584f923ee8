import type { Position } from "@trailbook/core/wire"
import type { SqlValue } from "./Dialect.ts"

/**
 * Returns ` and column = $n` for each defined filter, together with the values. `first` is the first parameter number.
 * Each combination of filters has its own statement text, because no index can serve `$n is null or …`.
 */
export const makeFilterConditions = (
  conditions: Readonly<Record<string, SqlValue | undefined>>,
  first: number
): { readonly text: string; readonly values: ReadonlyArray<SqlValue> } => {
  const values: Array<SqlValue> = []
  let text = ""
  for (const [column, value] of Object.entries(conditions)) {
    if (value === undefined) continue
    text += ` and ${column} = $${first + values.length}`
    values.push(value)
  }
  return { text, values }
}

// The default bounds of a list. They are outside the range of instants, so a statement can always contain both bounds.

/** A position before every row. */
export const minPosition: Position = { at: -1, id: "" }

/** A position after every row. */
export const maxPosition: Position = { at: Number.MAX_SAFE_INTEGER, id: "" }
