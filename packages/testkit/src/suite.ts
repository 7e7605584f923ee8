/** The contract for storage adapters as a Vitest suite. One call registers the tests for an adapter. */
import { describe, it } from "@effect/vitest"
import type { Storage } from "@trailbook/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Law } from "./law/Law.ts"
import { laws as allLaws } from "./laws.ts"
import { type LawOptions, makeLawConditions } from "./runLaws.ts"

export interface Options extends LawOptions {
  /**
   * The keys of laws that the adapter is known to break. These laws run and are expected to fail, so that a closed gap
   * is noticed. If only some of a law's cases reveal the gap, a small number of `runs` can miss it, so set a `seed`
   * that reveals it.
   */
  readonly knownGaps?: ReadonlyArray<Law["key"]>
  readonly timeoutMs?: number
}

/** Registers one test per law. Each build of `layer` must create empty storage, and every law uses its own build. */
export const suite = <E>(name: string, layer: Layer.Layer<Storage, E>, options: Options): void => {
  const { knownGaps = [], laws = allLaws, timeoutMs = 60_000 } = options
  const conditions = makeLawConditions(options)
  const unknown = knownGaps.filter((gap) => laws.every(({ key }) => key !== gap))
  if (unknown.length > 0) throw new Error(`Unknown laws: ${unknown.join(", ")}.`)

  describe(name, () => {
    for (const { check, key, title } of laws) {
      const test = knownGaps.includes(key) ? it.live.fails : it.live
      test(`${key}: ${title}`, () => Effect.provide(check(conditions), Layer.fresh(layer)), timeoutMs)
    }
  })
}
