import { it } from "@effect/vitest"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Ref from "effect/Ref"
import { assert, describe } from "vitest"

const start = Instant.make(1_000_000)

describe("SettableClock", () => {
  it.live("returns the same time until it is set forward or back", () =>
    Effect.gen(function*() {
      const clock = yield* SettableClock.make(start)
      const now = Effect.withClock(currentTime, clock)
      assert.strictEqual(yield* now, start)
      yield* clock.advance(5)
      assert.strictEqual(yield* now, start + 5)
      yield* clock.set(Instant.make(7))
      assert.strictEqual(yield* now, 7)
      yield* clock.advance(-3)
      assert.strictEqual(yield* now, 4)
    }))

  it.live("wakes sleeping fibers at their time, earliest first, and never early", () =>
    Effect.gen(function*() {
      const clock = yield* SettableClock.make(start)
      const woken = yield* Ref.make<ReadonlyArray<number>>([])
      const sleep = (ms: number) =>
        Effect.fork(Effect.zipRight(Effect.sleep(ms), Ref.update(woken, (all) => [...all, ms])))
      const sleepers = yield* Effect.withClock(Effect.forEach([30, 10, 20, 40, 0], sleep), clock)
      const wakes = Effect.zipRight(Effect.sleep("1 millis"), Ref.get(woken))
      assert.deepStrictEqual(yield* wakes, [0])
      yield* clock.advance(9)
      assert.deepStrictEqual(yield* wakes, [0])
      yield* clock.advance(21)
      assert.deepStrictEqual(yield* wakes, [0, 10, 20, 30])
      yield* clock.advance(-1000)
      yield* clock.set(Instant.make(start + 40))
      yield* Fiber.joinAll(sleepers)
      assert.deepStrictEqual(yield* wakes, [0, 10, 20, 30, 40])
    }))

  it.live("does not wake a sleeping fiber that was interrupted", () =>
    Effect.gen(function*() {
      const clock = yield* SettableClock.make(start)
      const sleeper = yield* Effect.withClock(Effect.fork(Effect.sleep(10)), clock)
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(sleeper)
      yield* clock.advance(10)
    }))
})
