/**
 * Converts input to the form that it takes over HTTP. Undefined fields are dropped, and a `Date` becomes an ISO
 * instant. The result is a copy, so later changes to the input do not affect it.
 */
export const toJson = (input: unknown): unknown =>
  input === undefined ? {} : JSON.parse(JSON.stringify(input) ?? "null")
