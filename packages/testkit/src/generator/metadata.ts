import type { Metadata } from "@trailbook/core/wire/Field"
import * as FastCheck from "effect/FastCheck"
import { text } from "./text.ts"

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
