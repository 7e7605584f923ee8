/**
 * Converts input to what would arrive over HTTP: undefined fields are dropped, a `Date` becomes its ISO instant, and
 * the result is a copy that later changes by the caller do not affect.
 */
export const toJson = (input: unknown): unknown =>
  input === undefined ? {} : JSON.parse(JSON.stringify(input) ?? "null")
