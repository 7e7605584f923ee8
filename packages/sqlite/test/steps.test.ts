/** Who is alone shares what a batch costs with nobody: fibers and steps of Effect are what of it is ours, and can be counted. */
import { assert, it } from "@effect/vitest"
import { layer } from "@trailbook/sqlite"
import { batchOptions } from "@trailbook/sqlite/batchOptions"
import * as Effect from "effect/Effect"
import * as RuntimeFlags from "effect/RuntimeFlags"
import * as RuntimeFlagsPatch from "effect/RuntimeFlagsPatch"
import * as Supervisor from "effect/Supervisor"
import { rafting } from "../../../test/rafting.ts"
import { temporaryFile } from "./temporaryFile.ts"

class Counting extends Supervisor.AbstractSupervisor<{ readonly fibers: number; readonly steps: number }> {
  private fibers = 0
  private steps = 0
  readonly value = Effect.sync(() => ({ fibers: this.fibers, steps: this.steps }))

  override onStart(): void {
    this.fibers++
  }

  override onEffect(): void {
    this.steps++
  }
}

it.scopedLive("a single booking takes one fiber of its lane, and at most 600 steps", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    const counting = new Counting()
    const spent = yield* Effect.gen(function*() {
      const { book } = yield* rafting(batchOptions)
      const one = book({ customer: { email: "ann@a.co" } })
      // What is asked for the first time is prepared.
      for (let time = 0; time < 3; time++) yield* one
      const before = yield* counting.value
      yield* one
      const after = yield* counting.value
      return { fibers: after.fibers - before.fibers, steps: after.steps - before.steps }
    }).pipe(
      Effect.provide(layer({ filename })),
      Effect.supervised(counting),
      Effect.withRuntimeFlagsPatch(RuntimeFlagsPatch.enable(RuntimeFlags.OpSupervision))
    )
    assert.strictEqual(spent.fibers, 1)
    assert.isBelow(spent.steps, 600)
    // It was counted at all.
    assert.isAbove(spent.steps, 200)
  }))
