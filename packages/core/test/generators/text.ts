import * as FastCheck from "effect/FastCheck"

/** Any code point except surrogates. Fast-check's own generator takes seconds to initialize. */
export const codePoint: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.integer({ min: 0, max: 0xd7ff }),
  FastCheck.integer({ min: 0xe000, max: 0x10ffff })
).map((code) => String.fromCodePoint(code))

/** Text that can be stored: any Unicode except NUL and lone surrogates. */
export const text = (maxLength: number): FastCheck.Arbitrary<string> =>
  FastCheck.oneof(
    FastCheck.constantFrom("", "null", "O'Neil", "100%", "a_b", "e\u0301", "👩‍👩‍👧‍👦").filter(({ length }) =>
      length <= maxLength
    ),
    FastCheck.string({ unit: "grapheme-ascii", maxLength, size: "small" }),
    FastCheck.string({ unit: codePoint, maxLength, size: "small" }).map((text) => text.replaceAll("\0", ""))
  )
