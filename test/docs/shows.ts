import { assert } from "vitest"

/**
 * Asserts that a response matches the response on a page. Lists must have the same length, and objects can have
 * additional fields.
 */
export const shows = (shown: unknown, answer: unknown, at: string): void => {
  if (Array.isArray(shown)) {
    assert.isArray(answer, at)
    assert.lengthOf(Array.from(Object(answer)), shown.length, `${at} ${JSON.stringify(answer)}`)
    shown.forEach((item, index) => shows(item, Reflect.get(Object(answer), index), `${at}[${index}]`))
  } else if (typeof shown === "object" && shown !== null) {
    for (const [key, value] of Object.entries(shown)) shows(value, Reflect.get(Object(answer), key), `${at}.${key}`)
  } else {
    assert.deepStrictEqual(answer, shown, `${at} ${JSON.stringify(answer)}`)
  }
}
