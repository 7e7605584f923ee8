import * as FastCheck from "effect/FastCheck"

/** Any code point but halves of surrogate pairs. Fast-check's own unit takes seconds to set up. */
export const codePoint: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.integer({ min: 0, max: 0xd7ff }),
  FastCheck.integer({ min: 0xe000, max: 0x10ffff })
).map((code) => String.fromCodePoint(code))

/** Text as it may be stored: any of Unicode but NUL and halves of surrogate pairs. */
export const text = (maxLength: number): FastCheck.Arbitrary<string> =>
  FastCheck.oneof(
    FastCheck.constantFrom("", "null", "O'Neil", "100%", "a_b", "e\u0301", "👩‍👩‍👧‍👦").filter(({ length }) =>
      length <= maxLength
    ),
    FastCheck.string({ unit: "grapheme-ascii", maxLength, size: "small" }),
    FastCheck.string({ unit: codePoint, maxLength, size: "small" }).map((text) => text.replaceAll("\0", ""))
  )
