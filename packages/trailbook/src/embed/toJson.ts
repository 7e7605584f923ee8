/**
 * What would arrive over HTTP: fields that are `undefined` are left out, a `Date`
 * is its instant, and nothing in it is the caller's to change afterwards.
 */
export const toJson = (input: unknown): unknown =>
  input === undefined ? {} : JSON.parse(JSON.stringify(input) ?? "null")
