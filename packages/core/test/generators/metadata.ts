import type { Metadata } from "@trailbook/core/wire/Field"
import * as FastCheck from "effect/FastCheck"
import { text } from "./text.ts"

/** JSON objects with nesting, unusual keys, and extreme numbers. */
export const metadata: FastCheck.Arbitrary<Metadata> = FastCheck.dictionary(
  text(20).filter((key) => key !== "__proto__"),
  FastCheck.oneof(
    text(40),
    FastCheck.constantFrom<unknown>(null, true, 0, -1, 0.1, 1e21, Number.MAX_SAFE_INTEGER, [], [{ a: [1] }], { b: {} }),
    FastCheck.integer()
  ),
  { maxKeys: 4, noNullPrototype: true }
)
