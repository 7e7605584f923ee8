import * as FastCheck from "effect/FastCheck"

/** Strings that commonly break databases, queries, logs, or pages. */
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

/** Text that can be stored: any Unicode text without NUL and lone surrogates, which no request can contain. */
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
