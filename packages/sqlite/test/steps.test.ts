/**
 * Tests the cost of a booking that is alone in its batch and therefore bears the batch's full cost. The cost is
 * measured in Effect fibers and steps.
 */
import { assert, it } from "@effect/vitest"
import { layer } from "@trailbook/sqlite"
import { batchOptions } from "@trailbook/sqlite/batchOptions"
import * as Effect from "effect/Effect"
import * as RuntimeFlags from "effect/RuntimeFlags"
import * as RuntimeFlagsPatch from "effect/RuntimeFlagsPatch"
import * as Supervisor from "effect/Supervisor"
import { rafting } from "../../../test/rafting.ts"
import { temporaryFile } from "./temporaryFile.ts"

class StepCounter extends Supervisor.AbstractSupervisor<{ readonly fibers: number; readonly steps: number }> {
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

it.scopedLive("a single booking takes fewer than 600 Effect steps", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    const counting = new StepCounter()
    const usage = yield* Effect.gen(function*() {
      const { book } = yield* rafting(batchOptions)
      const one = book({ customer: { email: "ann@a.co" } })
      // Do not measure the first runs, because they prepare statements.
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
    assert.strictEqual(usage.fibers, 1)
    assert.isBelow(usage.steps, 600)
    // Check that the supervisor counted steps.
    assert.isAbove(usage.steps, 200)
  }))
