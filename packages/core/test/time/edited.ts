import * as FastCheck from "effect/FastCheck"

/** A valid string with one character inserted, removed, or replaced. Lenient parsers accept such strings. */
export const editTexts = (texts: FastCheck.Arbitrary<string>): FastCheck.Arbitrary<string> =>
  FastCheck.tuple(texts, FastCheck.nat(30), FastCheck.nat(1), FastCheck.constantFrom(...inserted, "")).map(
    ([text, at, removedCount, inserted]) => text.slice(0, at) + inserted + text.slice(at + removedCount)
  )

const inserted = Array.from("0123456789:-+.,TtZz \n\u0663")
