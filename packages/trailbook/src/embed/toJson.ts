/**
 * Converts input to the form in which it would arrive over HTTP: undefined fields are dropped, and a `Date` becomes an
 * ISO instant. The result is a copy, so later changes by the caller do not affect it.
 */
export const toJson = (input: unknown): unknown =>
  input === undefined ? {} : JSON.parse(JSON.stringify(input) ?? "null")
