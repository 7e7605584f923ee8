import * as FastCheck from "effect/FastCheck"

/** What has broken somebody's database, query, log or page before. */
const notorious: ReadonlyArray<string> = [
  "",
  " ",
  "null",
  "0",
  "{}",
  "O'Neil",
  "say \"hi\"",
  "100%",
  "a_b",
  "back\\slash",
  "'; drop table bookings; --",
  "?1 $1 :name",
  "line\nbreak\ttab",
  "\u2028",
  "\u202eright to left",
  "ﬁ İ ß ς",
  "👩‍👩‍👧‍👦",
  "e\u0301 é"
]

/**
 * Text as it may be stored: any of Unicode but NUL and halves of surrogate
 * pairs, which no request can bring in.
 */
export const text = (maxLength: number): FastCheck.Arbitrary<string> =>
  FastCheck.oneof(
    { arbitrary: FastCheck.constantFrom(...notorious.filter(({ length }) => length <= maxLength)), weight: 2 },
    { arbitrary: FastCheck.string({ unit: "grapheme-ascii", maxLength, size: "small" }), weight: 2 },
    {
      arbitrary: FastCheck.string({ unit: "binary", maxLength, size: "small" }).map((text) =>
        text.replaceAll("\0", "")
      ),
      weight: 1
    }
  )
