import { Bookings } from "@trailbook/core/booking/Bookings"
import { Errands } from "@trailbook/core/mail/Errands"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { background } from "trailbook/runtime/background"
import { describe, expect, it } from "vitest"

/** Lets what can go on go on. */
const settled = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow(), { discard: true })

const running = (
  errands: Effect.Effect<number>,
  sweep: Effect.Effect<number>,
  test: Effect.Effect<void>,
  grace = Duration.seconds(10)
): Promise<void> => {
  // The rounds use `run` and `sweep` alone; everything else of the service must not be touched.
  const bookings = new Proxy({ sweep: () => sweep }, {
    get: (target, name) => name === "sweep" ? target.sweep : () => Effect.dieMessage(String(name))
  }) as unknown as Bookings["Type"]
  return background(grace).pipe(
    Effect.zipRight(test),
    Effect.scoped,
    Effect.provide(Layer.merge(Layer.succeed(Errands, { run: () => errands }), Layer.succeed(Bookings, bookings))),
    Effect.provide(Layer.merge(TestContext.TestContext, Logger.remove(Logger.defaultLogger))),
    Effect.runPromise
  )
}

describe("the background", () => {
  it("runs errands at once while there are some, and then looks every half second", async () => {
    const left = [50, 50, 3, 0, 0]
    let looked = 0
    const errands = Effect.sync(() => {
      looked++
      return left.shift() ?? 0
    })
    await running(
      errands,
      Effect.succeed(0),
      Effect.gen(function*() {
        yield* settled
        expect(looked).toBe(4)
        yield* TestClock.adjust("499 millis")
        expect(looked).toBe(4)
        yield* TestClock.adjust("1 millis")
        yield* settled
        expect(looked).toBe(5)
      })
    )
  })

  it("sweeps once a minute", async () => {
    let swept = 0
    await running(
      Effect.succeed(0),
      Effect.sync(() => {
        swept++
        return 0
      }),
      Effect.gen(function*() {
        yield* settled
        yield* TestClock.adjust("3 minutes")
        yield* settled
        expect(swept).toBe(4)
      })
    )
  })

  it("goes on when a round fails, in either way", async () => {
    let looked = 0
    const errands = Effect.suspend(() => ++looked % 2 === 1 ? Effect.dieMessage("no disk") : Effect.succeed(0))
    await running(
      errands,
      Effect.dieMessage("no disk"),
      Effect.gen(function*() {
        yield* settled
        for (let round = 0; round < 5; round++) {
          yield* TestClock.adjust("500 millis")
          yield* settled
        }
        expect(looked).toBe(6)
      })
    )
  })

  it("lets a round under way come to its end before it stops", async () => {
    const gate = Effect.runSync(Deferred.make<void>())
    let finished = false
    const errands = Effect.flatMap(Deferred.await(gate), () =>
      Effect.sync(() => {
        finished = true
        return 0
      }))
    await running(
      errands,
      Effect.succeed(0),
      Effect.zipRight(settled, Effect.fork(Effect.delay(Deferred.succeed(gate, undefined), 0))).pipe(Effect.asVoid),
      Duration.seconds(10)
    ).catch(() => {})
    expect(finished).toBe(true)
  })
})
