/**
 * What everybody who keeps files must do, as tests. An adapter's whole test is one
 * call.
 */
import { describe, it } from "@effect/vitest"
import type { Files } from "@trailbook/core/file/Files"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { filesLaws } from "./law/filesLaws.ts"

/**
 * Registers a test for each law, over one `Files` that may hold others' files
 * already.
 */
export const filesSuite = <E>(
  name: string,
  layer: Layer.Layer<Files, E>,
  { runs = 20, timeoutMs = 60_000 }: { readonly runs?: number; readonly timeoutMs?: number } = {}
): void => {
  describe(name, () => {
    for (const { check, key, says } of filesLaws) {
      it.live(`${key}: ${says}`, () => Effect.provide(check(runs), layer), timeoutMs)
    }
  })
}
