import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import { findClockChanges } from "@trailbook/rules/Scenario"
import { zone } from "@trailbook/testkit/arbitraries"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"

const from = Instant.make(Date.UTC(2027, 0, 1))
const hourMs = 3_600_000
const hoursLooked = 53 * 168

describe("clockChanges", () => {
  it("finds both clock changes in Denver and none in Phoenix", () => {
    assert.deepStrictEqual(findClockChanges(Zone.get("America/Denver"), from).map(Instant.format), [
      "2027-03-14T09:00:00.000Z",
      "2027-11-07T08:00:00.000Z"
    ])
    assert.deepStrictEqual(findClockChanges(Zone.get("America/Phoenix"), from), [])
  })

  it("matches an hour-by-hour check", () => {
    FastCheck.assert(
      FastCheck.property(zone, FastCheck.nat({ max: 365 }), (name, days) => {
        const start = from + days * 24 * hourMs
        const zone = Zone.get(name)
        const offset = (hour: number) => zone.offsetAt(Instant.make(start + hour * hourMs))
        const expected = Array.from({ length: hoursLooked }, (_, hour) => hour + 1)
          .filter((hour) => offset(hour) !== offset(hour - 1))
          .map((hour) => start + hour * hourMs)
        assert.deepStrictEqual<ReadonlyArray<number>>(findClockChanges(zone, Instant.make(start)), expected)
      }),
      { numRuns: 40 }
    )
  })
})
