import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { script } from "../generators/script.ts"
import { world } from "../generators/world.ts"
import { playAll } from "../world/play.ts"
import { oversold } from "../world/recount.ts"

const reached = [
  "sell confirmed",
  "sell held",
  "sell slot_full",
  "confirm confirmed",
  "confirm booking_cancelled",
  "move confirmed",
  "move held",
  "move slot_full",
  "move hold_expired",
  "cancel cancelled",
  "pay confirmed",
  "pay cancelled"
]

describe("whatever is created, held, confirmed, paid, moved, cancelled, waited for and changed", () => {
  it("nothing is ever sold over its capacity", () => {
    const seen = new Set<string>()
    FastCheck.assert(
      FastCheck.property(world, script(40), (world, script) => {
        for (const { after, answers, before, step } of playAll(world, script)) {
          expect(oversold(before, after)).toEqual([])
          for (const answer of answers) {
            seen.add(`${step} ${answer._tag === "Right" ? answer.right.booking.status : answer.left.code}`)
          }
        }
      }),
      { numRuns: 300 }
    )
    // Scripts that never came into a tight spot would show nothing.
    expect([...seen]).toEqual(expect.arrayContaining(reached))
  })
})
