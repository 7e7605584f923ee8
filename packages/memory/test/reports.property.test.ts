import { it } from "@effect/vitest"
import * as Memory from "@trailbook/memory"
import { reportLaws } from "@trailbook/testkit/law/booking/reportLaws"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { reportSeason } from "../../../test/laws/reportSeason.ts"
import { runs } from "../../../test/runs.ts"

/** A law runs one round for every four cases, so each season takes four cases. */
const seasons = runs(200, 40)

for (const { check, title } of [...reportLaws, ...reportSeason]) {
  it.live(
    `${title}, in ${seasons} seasons`,
    () =>
      Effect.provide(
        check({ runs: 4 * seasons, shrink: false, reference: Memory.layer }),
        Layer.fresh(Memory.layer)
      ),
    300_000
  )
}
