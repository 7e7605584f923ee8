import { assert } from "vitest"

/**
 * Asserts that a response matches the response on a page. Lists must have the same length, and objects can have extra
 * fields.
 */
export const assertShows = (expected: unknown, answer: unknown, at: string): void => {
  if (Array.isArray(expected)) {
    assert.isArray(answer, at)
    assert.lengthOf(Array.from(Object(answer)), expected.length, `${at} ${JSON.stringify(answer)}`)
    expected.forEach((item, index) => assertShows(item, Reflect.get(Object(answer), index), `${at}[${index}]`))
  } else if (typeof expected === "object" && expected !== null) {
    for (const [key, value] of Object.entries(expected)) {
      assertShows(value, Reflect.get(Object(answer), key), `${at}.${key}`)
    }
  } else {
    assert.deepStrictEqual(answer, expected, `${at} ${JSON.stringify(answer)}`)
  }
}
