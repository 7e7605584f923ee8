import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { assignLanes } from "../../src/dashboard/calendar/week.ts"

const span = FastCheck.tuple(FastCheck.integer({ min: 0, max: 40 }), FastCheck.integer({ min: 1, max: 12 })).map(
  ([from, length]) => ({ from, to: from + length })
)
const spans = FastCheck.array(span, { maxLength: 40 }).map((all) => all.map((one, id) => ({ ...one, id })))

interface Span {
  readonly from: number
  readonly to: number
}

const overlap = (a: Span, b: Span): boolean => a.from < b.to && b.from < a.to

describe("a day's calendar lanes", () => {
  it("contain each departure once, without overlaps", () => {
    FastCheck.assert(
      FastCheck.property(spans, (input) => {
        const layout = assignLanes(input)
        assert.sameMembers(layout.map(({ id }) => id), input.map(({ id }) => id))
        for (const a of layout) {
          assert.isBelow(a.lane, a.lanes)
          for (const b of layout) if (a.id !== b.id && overlap(a, b)) assert.notStrictEqual(a.lane, b.lane)
        }
      }),
      { numRuns: runs(1000, 200) }
    )
  })

  it("are as few as the busiest time requires", () => {
    FastCheck.assert(
      FastCheck.property(spans, (input) => {
        const layout = assignLanes(input)
        const peak = (all: ReadonlyArray<Span>) =>
          Math.max(0, ...all.map(({ from }) => all.filter((one) => one.from <= from && from < one.to).length))
        assert.strictEqual(Math.max(0, ...layout.map(({ lanes }) => lanes)), peak(input))
        for (const a of layout) for (const b of layout) if (overlap(a, b)) assert.strictEqual(a.lanes, b.lanes)
      }),
      { numRuns: runs(1000, 200) }
    )
  })
})
