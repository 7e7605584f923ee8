import type { Metadata } from "@trailbook/core/wire/Field"
import * as FastCheck from "effect/FastCheck"

/** Strings that commonly break databases, queries, logs, or pages. */
const troublesomeTexts: ReadonlyArray<string> = [
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

/** Text that can be stored: any Unicode text without NUL or lone surrogates, which no request can contain. */
export const text = (maxLength: number): FastCheck.Arbitrary<string> =>
  FastCheck.oneof(
    { arbitrary: FastCheck.constantFrom(...troublesomeTexts.filter(({ length }) => length <= maxLength)), weight: 2 },
    { arbitrary: FastCheck.string({ unit: "grapheme-ascii", maxLength, size: "small" }), weight: 2 },
    {
      arbitrary: FastCheck.string({ unit: "binary", maxLength, size: "small" }).map((text) =>
        text.replaceAll("\0", "")
      ),
      weight: 1
    }
  )

/**
 * Keys exclude `__proto__`, because most JavaScript code, including the comparisons in tests, confuses it with a
 * prototype.
 */
const key = text(20).filter((key) => key !== "__proto__")

const { value } = FastCheck.letrec<{ value: unknown; leaf: unknown }>((tie) => ({
  leaf: FastCheck.oneof(
    text(40),
    FastCheck.constantFrom<unknown>(null, true, false, 0, -1, 0.1, 1e21, 5e-324, Number.MAX_SAFE_INTEGER),
    FastCheck.integer()
  ),
  value: FastCheck.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("leaf"),
    FastCheck.array(tie("value"), { maxLength: 3 }),
    FastCheck.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true })
  )
}))

/** JSON objects with nesting, unusual keys, and extreme numbers. */
export const metadata: FastCheck.Arbitrary<Metadata> = FastCheck.dictionary(key, value, {
  maxKeys: 4,
  noNullPrototype: true
})
