/** Readers for untrusted JSON. A missing value, or one of another type, becomes undefined or null, never 0. */

export const field = (value: unknown, ...path: ReadonlyArray<string>): unknown => {
  let found = value
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined
    found = found[name as keyof typeof found]
  }
  return found
}

export const list = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** Returns a finite number, or null. */
export const number = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null

/** Parses a number in a text. Blank text, which JavaScript converts to 0, returns null. */
export const numberInText = (value: unknown): number | null =>
  typeof value === "string" && /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)
    ? number(Number(value))
    : number(value)
