import type { Value } from "./Dialect.ts"

/**
 * ` and column = $n` for each filter that is set, numbered from `first` on, and
 * the values that go there. A list has a text for each combination of its
 * filters instead of one with `$n is null or …`, which no index can serve.
 */
export const filters = (
  given: Readonly<Record<string, Value | undefined>>,
  first: number
): { readonly text: string; readonly values: ReadonlyArray<Value> } => {
  const values: Array<Value> = []
  let text = ""
  for (const [column, value] of Object.entries(given)) {
    if (value === undefined) continue
    text += ` and ${column} = $${first + values.length}`
    values.push(value)
  }
  return { text, values }
}
