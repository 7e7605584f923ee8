import { assert, describe, it } from "@effect/vitest"
import { retryOnConflict } from "@trailbook/core/port/UnitOfWork"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

class DatabaseUnavailable extends Error {
  readonly _tag = "DatabaseUnavailable"
  readonly contended: boolean
  constructor(contended: boolean) {
    super("gone")
    this.contended = contended
  }
}

const duplicate = new Error("duplicate key")

/** Each attempt ends with the next of the given outcomes. Once they run out, attempts succeed. */
const makeRun = (...ends: ReadonlyArray<Effect.Effect<string, string>>) => {
  let attempts = 0
  const work = Effect.suspend(() => ends[attempts++] ?? Effect.succeed("stored"))
  return { work, begun: () => attempts }
}

describe("retryOnConflict", () => {
  it.effect("retries a defect at most twice", () =>
    Effect.gen(function*() {
      const lostRun = makeRun(Effect.die(duplicate), Effect.die(duplicate))
      assert.strictEqual(yield* retryOnConflict(lostRun.work), "stored")
      const brokenRun = makeRun(...Array.from({ length: 9 }, () => Effect.die(duplicate)))
      assert.deepStrictEqual(yield* Effect.exit(retryOnConflict(brokenRun.work)), Exit.die(duplicate))
      assert.strictEqual(brokenRun.begun(), 3)
    }))

  it.effect("does not retry after an outage, rejection, or interruption", () =>
    Effect.gen(function*() {
      const ends = [
        Effect.die(new DatabaseUnavailable(false)),
        Effect.die(new DatabaseUnavailable(true)),
        Effect.fail("taken"),
        Effect.interrupt
      ]
      for (const end of ends) {
        const { begun, work } = makeRun(end)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(retryOnConflict(work))))
        assert.strictEqual(begun(), 1)
      }
    }))
})
