import * as FastCheck from "effect/FastCheck"

/** Text as it may be stored: any of Unicode but NUL and halves of surrogate pairs (decision 4). */
export const text = (maxLength: number): FastCheck.Arbitrary<string> =>
  FastCheck.oneof(
    FastCheck.constantFrom("", "null", "O'Neil", "100%", "a_b", "e\u0301", "👩‍👩‍👧‍👦").filter(({ length }) =>
      length <= maxLength
    ),
    FastCheck.string({ unit: "grapheme-ascii", maxLength, size: "small" }),
    FastCheck.string({ unit: "binary", maxLength, size: "small" }).map((text) => text.replaceAll("\0", ""))
  )
