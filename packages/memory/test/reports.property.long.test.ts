import { it } from "@effect/vitest"
import * as Memory from "@trailbook/memory"
import { reportLaws } from "@trailbook/testkit/law/booking/reportLaws"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert } from "vitest"
import { race } from "../../../test/laws/race/TwoServerFixture.ts"
import { reportSeason } from "../../../test/laws/reportSeason.ts"
import { runs } from "../../../test/runs.ts"

/** Each season is one round, and a law runs one round for every four cases. */
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

const offerings = 30

const { check } = race(
  "reports/turns",
  "yields to other requests after each offering of an occupancy report",
  function*({ call, offer }) {
    for (let at = 0; at < offerings; at++) yield* offer({ kind: "rental", capacity: 1, price_cents: 0 })
    let turns = 0
    let isRunning = true
    const countTurn = () => {
      turns++
      if (isRunning) setImmediate(countTurn)
    }
    setImmediate(countTurn)
    yield* call("reports.occupancy", { from: "2026-01-01", to: "2026-12-31" })
    isRunning = false
    assert.isAtLeast(turns, offerings)
  }
)

it.live("yields to other requests after each offering of an occupancy report", () =>
  Effect.provide(check({ runs: 1, shrink: false, reference: Memory.layer }), Layer.fresh(Memory.layer)))
