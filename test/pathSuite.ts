import { describe, it } from "@effect/vitest"
import { type Options, suite } from "@trailbook/testkit/suite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { allLaws } from "./laws/engineLaws.ts"
import { isComplete } from "./runs.ts"

/**
 * Matches laws about transactions, their order, and their results. Other laws only read and write rows, which does not
 * depend on the path.
 */
const isOfPath = /^(?:transactions|locks|races|feed|bounds|model)\//

/**
 * Runs the law suite on a second path to a storage that passes every law on its first path. The second path is one
 * connection for all requests, a host's transactions, or delayed results. Runs the laws that can tell the two paths
 * apart, or every law with `TEST_LONG=all`.
 */
export const pathSuite = (
  name: string,
  storage: Parameters<typeof suite>[1],
  { knownGaps = [], reference }: Pick<Options, "knownGaps" | "reference">
): void => {
  if (isComplete) return suite(name, storage, { knownGaps, laws: allLaws, reference })
  const conditions = { runs: 20, shrink: true, reference: Layer.fresh(reference) }
  describe(name, () => {
    for (const { check, key, title } of allLaws.filter(({ key }) => isOfPath.test(key))) {
      const test = knownGaps.includes(key) ? it.live.fails : it.live
      test(`${key}: ${title}`, () => Effect.provide(check(conditions), Layer.fresh(storage)))
    }
  })
}
