import { Bookings } from "@trailbook/core/booking/Bookings"
import { Errands } from "@trailbook/core/mail/Errands"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { background } from "trailbook/runtime/background"
import { describe, expect, it } from "vitest"

/** Lets what can go on go on. */
const settled = Effect.forEach(Array.from({ length: 50 }), () => Effect.yieldNow(), { discard: true })

const nothing = Effect.succeed(0)
const counting = (count: () => number) => Effect.sync(count)

/** Starts the background with these rounds; `stop` is the end of its scope, with a grace of ten seconds. */
const running = (
  rounds: { readonly errands?: Effect.Effect<number>; readonly sweep?: Effect.Effect<number> },
  test: (stop: Effect.Effect<void>) => Effect.Effect<void>
): Promise<void> => {
  const unused = () => Effect.dieMessage("The background books nothing.")
  const bookings = { create: unused, get: unused, confirm: unused, pay: unused, move: unused, cancel: unused }
  return Effect.gen(function*() {
    const scope = yield* Scope.make()
    yield* Scope.extend(background(Duration.seconds(10)), scope)
    yield* settled
    yield* test(Scope.close(scope, Exit.void))
    yield* Effect.zipRight(Effect.fork(Scope.close(scope, Exit.void)), TestClock.adjust("1 hours"))
  }).pipe(
    Effect.provideService(Errands, { run: () => rounds.errands ?? nothing }),
    Effect.provideService(Bookings, { ...bookings, resend: unused, sweep: () => rounds.sweep ?? nothing }),
    Effect.provide(Layer.merge(TestContext.TestContext, Logger.remove(Logger.defaultLogger))),
    Effect.runPromise
  )
}

const pass = (time: Duration.DurationInput) => Effect.zipRight(TestClock.adjust(time), settled)

describe("the background", () => {
  it("runs errands at once while there are some, and then looks every half second", async () => {
    const left = [50, 50, 3, 0, 0]
    let looked = 0
    const errands = counting(() => {
      looked++
      return left.shift() ?? 0
    })
    await running({ errands }, () =>
      Effect.gen(function*() {
        expect(looked).toBe(4)
        yield* pass("499 millis")
        expect(looked).toBe(4)
        yield* pass("1 millis")
        expect(looked).toBe(5)
      }))
  })

  it("sweeps at its start and then once a minute", async () => {
    let swept = 0
    const sweep = counting(() => {
      swept++
      return 0
    })
    await running({ sweep }, () =>
      Effect.gen(function*() {
        expect(swept).toBe(1)
        for (let minute = 0; minute < 3; minute++) yield* pass("1 minutes")
        expect(swept).toBe(4)
      }))
  })

  it("goes on when rounds fail", async () => {
    let looked = 0
    const errands = Effect.suspend(() => ++looked % 2 === 1 ? Effect.dieMessage("no disk") : nothing)
    await running({ errands, sweep: Effect.dieMessage("no disk") }, () =>
      Effect.gen(function*() {
        for (let round = 0; round < 5; round++) yield* pass("500 millis")
        expect(looked).toBe(6)
      }))
  })

  it("when it stops, lets a round under way come to its end", async () => {
    const gate = Effect.runSync(Deferred.make<void>())
    let finished = 0
    const errands = Effect.zipRight(
      Deferred.await(gate),
      counting(() => {
        finished++
        return 50
      })
    )
    await running({ errands }, (stop) =>
      Effect.gen(function*() {
        const stopping = yield* Effect.fork(stop)
        yield* pass("9 seconds")
        expect(stopping.unsafePoll()).toBeNull()
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(stopping)
        // There was more to do, but that is for the next process.
        expect(finished).toBe(1)
      }))
  })

  it("when it stops, cuts off a round that outlasts the grace", async () => {
    let cutOff = false
    const errands = Effect.onInterrupt(Effect.never, () =>
      Effect.sync(() => {
        cutOff = true
      }))
    await running({ errands }, (stop) =>
      Effect.gen(function*() {
        const stopping = yield* Effect.fork(stop)
        yield* pass("10 seconds")
        yield* Fiber.join(stopping)
        expect(cutOff).toBe(true)
      }))
  })

  it("when it stops, does no more", async () => {
    let looked = 0
    const errands = counting(() => {
      looked++
      return 0
    })
    await running({ errands }, (stop) =>
      Effect.gen(function*() {
        yield* stop
        const before = looked
        yield* pass("1 minutes")
        expect(looked).toBe(before)
      }))
  })
})
