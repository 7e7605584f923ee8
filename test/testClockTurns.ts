/**
 * Makes `TestClock` wait for turns of the event loop instead of timers. For each sleep that ends, Effect waits for three
 * timers of 1 ms, although the fibers of a test only need to run until they wait again. Tests that let a minute pass for
 * a worker would otherwise be idle for seconds. Import this module from a setup file: a setup file itself runs once per
 * test file, and this module must run once per process.
 */
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"

interface TestClockInternals {
  yieldTimer: Effect.Effect<void>
  awaitSuspended: () => Effect.Effect<void>
}

const turn = Effect.async<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

const clock = Effect.runSync(Effect.provide(TestClock.testClock(), TestContext.TestContext))
const internals: TestClockInternals = Object.getPrototypeOf(clock)
const { awaitSuspended } = internals

internals.awaitSuspended = function(this: TestClockInternals) {
  this.yieldTimer = turn
  return awaitSuspended.call(this)
}
