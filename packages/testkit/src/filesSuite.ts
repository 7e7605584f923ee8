/** The contract for `Files` adapters as a test suite. One call tests an adapter. */
import { describe, it } from "@effect/vitest"
import type { Files } from "@trailbook/core/file"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { filesLaws } from "./law/message/filesLaws.ts"

/** Registers one test per law. The `Files` adapter can already contain other files. */
export const filesSuite = <E>(
  name: string,
  layer: Layer.Layer<Files, E>,
  { runs = 20, timeoutMs = 60_000 }: { readonly runs?: number; readonly timeoutMs?: number } = {}
): void => {
  describe(name, () => {
    for (const { check, key, title } of filesLaws) {
      it.live(`${key}: ${title}`, () => Effect.provide(check(runs), layer), timeoutMs)
    }
  })
}
