import * as FastCheck from "effect/FastCheck"

/** A good text with one character put in, taken out or replaced: where parsers are too kind, they are so near good texts. */
export const edited = (texts: FastCheck.Arbitrary<string>): FastCheck.Arbitrary<string> =>
  FastCheck.tuple(texts, FastCheck.nat(30), FastCheck.nat(1), FastCheck.constantFrom(...inserted, "")).map(
    ([text, at, removed, inserted]) => text.slice(0, at) + inserted + text.slice(at + removed)
  )

const inserted = Array.from("0123456789:-+.,TtZz \n\u0663")
