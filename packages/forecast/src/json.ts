/**
 * Reading what others send: what is not there, or is something else, is undefined or
 * null, and never a zero.
 */

export const field = (value: unknown, ...path: ReadonlyArray<string>): unknown => {
  let found = value
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined
    found = found[name as keyof typeof found]
  }
  return found
}

export const list = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** A number, or null. */
export const number = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null

/** A number that is written as text: digits, and no blank or empty text, which JavaScript reads as 0. */
export const numberInText = (value: unknown): number | null =>
  typeof value === "string" && /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)
    ? number(Number(value))
    : number(value)
