import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { script } from "../generators/script.ts"
import { world } from "../generators/world.ts"
import { playAll } from "../world/play.ts"
import { oversold } from "../world/recount.ts"

describe("whatever is created, held, confirmed, paid, moved, cancelled, waited for and changed", () => {
  it("nothing is ever sold over its capacity", () => {
    const seen = new Map<string, number>()
    FastCheck.assert(
      FastCheck.property(world, script(40), (world, script) => {
        for (const { after, answers, before, step } of playAll(world, script)) {
          expect(oversold(before, after)).toEqual([])
          for (const answer of answers) {
            const said = `${step} ${answer._tag === "Right" ? answer.right.booking.status : answer.left.code}`
            seen.set(said, (seen.get(said) ?? 0) + 1)
          }
        }
      }),
      { numRuns: 300 }
    )
    console.log([...seen].sort())
  })
})
