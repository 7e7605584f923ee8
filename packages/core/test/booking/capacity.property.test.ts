import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { script } from "../generators/script.ts"
import { world } from "../generators/world.ts"
import { playAll } from "../world/play.ts"
import { findOversold } from "../world/recount.ts"
import type { World } from "../world/World.ts"

const expectedOutcomes = [
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

describe("any sequence of booking operations", () => {
  it("never exceeds the capacity", () => {
    const outcomes = new Set<string>()
    FastCheck.assert(
      FastCheck.property(world, script(40), (world, script) => {
        for (const { after, answers, before, step } of playAll(world, script)) {
          expect(findOversold(before, after)).toEqual([])
          for (const answer of answers) {
            outcomes.add(`${step} ${answer._tag === "Right" ? answer.right.booking.status : answer.left.code}`)
          }
        }
      }),
      { numRuns: runs(300, 75) }
    )
    // Scripts without contention would prove nothing.
    expect([...outcomes]).toEqual(expect.arrayContaining(expectedOutcomes))
  })
})

/**
 * Scripts with small capacities and many holds that expire between two clock changes. The clock moves back as often as
 * forward. Does not change capacities, because lowering a capacity does not release its live holds.
 */
const toAndFro = FastCheck.tuple(script(60), FastCheck.array(FastCheck.boolean(), { minLength: 60, maxLength: 60 }))
  .map(
    ([steps, back]) =>
      steps.flatMap((step, at): typeof steps => {
        switch (step._tag) {
          case "sell":
            return [{ ...step, wishes: step.wishes.map((wish) => ({ ...wish, ...narrow(wish.start) })) }]
          case "confirm":
          case "pay":
            return [{ ...step, booking: step.booking % 4 }]
          case "move":
            return [{ ...step, start: step.start % 2 }]
          case "wait":
            return [{ ...step, minutes: back[at] === true ? -10 : 10 }]
          default:
            return []
        }
      })
  )

const narrow = (start: number) => ({
  org: 0,
  start: start % 2,
  astray: undefined,
  key: undefined,
  quantity: 1,
  periods: undefined,
  holdMinutes: start < 7 ? 5 : undefined
})

/** Compares confirmed bookings only, because every hold has expired on some clock. */
const confirmedOver = (before: World, after: World) =>
  findOversold({ ...before, now: Instant.max }, { ...after, now: Instant.max })

const forgotten = (world: World): World => ({
  ...world,
  offerings: world.offerings.map((offering) => ({ ...offering, judgedAt: Instant.make(0) })),
  sessions: world.sessions.map((session) => ({ ...session, judgedAt: Instant.make(0) }))
})

describe("a clock that jumps back and forth", () => {
  it("never allows overbooking", () => {
    FastCheck.assert(
      FastCheck.property(world, toAndFro, (world, steps) => {
        for (const { after, before } of playAll(world, steps)) expect(confirmedOver(before, after)).toEqual([])
      }),
      { numRuns: runs(200, 50) }
    )
    // Without the recorded expiry times, some script must eventually oversell.
    const otherwise = FastCheck.check(
      FastCheck.property(world, toAndFro, (world, steps) => {
        let forgetful = world
        for (const step of steps) {
          const after = playAll(forgetful, [step]).at(-1)?.after ?? forgetful
          if (confirmedOver(forgetful, after).length > 0) return false
          forgetful = forgotten(after)
        }
        return true
      }),
      { numRuns: 10_000, endOnFailure: true }
    )
    expect(otherwise.failed).toBe(true)
  })
})
