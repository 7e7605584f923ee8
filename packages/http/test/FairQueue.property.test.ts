import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import { assert, describe, it } from "vitest"
import * as Turns from "../src/limit/FairQueue.ts"

const loop = Effect.promise(() => new Promise<void>((resolve) => void setImmediate(resolve)))

/** Creates tasks that record their start and run until the test ends them. */
const stage = (turns: Turns.FairQueue) => {
  const begun: Array<string> = []
  const running: Array<{ readonly org: string; readonly end: Effect.Effect<boolean> }> = []
  const ask = (org: string) =>
    Effect.fork(turns(
      org,
      Effect.gen(function*() {
        const end = yield* Deferred.make<void>()
        begun.push(org)
        const task = { org, end: Deferred.succeed(end, undefined) }
        running.push(task)
        yield* Effect.ensuring(Deferred.await(end), Effect.sync(() => void running.splice(running.indexOf(task), 1)))
      })
    ))
  return { begun, running, ask }
}

const settle = Effect.repeatN(loop, 3)

describe("FairQueue", () => {
  it("limits concurrent requests per org and in total", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.integer({ min: 1, max: 3 }),
        FastCheck.integer({ min: 1, max: 5 }),
        FastCheck.array(
          FastCheck.record({ org: FastCheck.constantFrom("a", "b", "c"), gone: FastCheck.boolean() }),
          { minLength: 1, maxLength: 30 }
        ),
        (each, all, requests) =>
          Effect.runPromise(Effect.gen(function*() {
            const { ask, begun, running } = stage(Turns.make({ each, all }))
            const bound = () => {
              assert.isAtMost(running.length, all)
              for (const org of ["a", "b", "c"]) assert.isAtMost(running.filter((one) => one.org === org).length, each)
            }
            const goneFibers: Array<Fiber.RuntimeFiber<void>> = []
            for (const { gone: goes, org } of requests) {
              const fiber = yield* ask(org)
              if (goes) goneFibers.push(fiber)
              yield* Effect.yieldNow()
              bound()
            }
            // Interrupting a task, whether queued or running, frees its slot.
            yield* Fiber.interruptAll(goneFibers)
            yield* settle
            bound()
            while (running.length > 0) {
              yield* running[0]?.end ?? Effect.void
              yield* settle
              bound()
            }
            const stayingRequests = requests.filter(({ gone }) => !gone)
            for (const org of ["a", "b", "c"]) {
              const expectedCount = stayingRequests.filter((one) => one.org === org).length
              assert.isAtLeast(begun.filter((name) => name === org).length, expectedCount)
            }
          }))
      ),
      { numRuns: 60 }
    ))

  it("serves a new org before the backlog of a busy org", () =>
    Effect.runPromise(Effect.gen(function*() {
      const { ask, begun, running } = stage(Turns.make({ each: 2, all: 2 }))
      for (let at = 0; at < 32; at++) yield* ask("busy")
      yield* ask("quiet")
      yield* settle
      assert.deepStrictEqual(begun, ["busy", "busy"])
      for (let at = 0; at < 2; at++) {
        yield* running[0]?.end ?? Effect.void
        yield* settle
      }
      assert.include(begun, "quiet")
    })))

  it("holds the slot of an immediate request for one event-loop turn", () =>
    Effect.runPromise(Effect.gen(function*() {
      const turns = Turns.make({ each: 2, all: 3 })
      const state = { done: 0 }
      const fibers = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.fork(turns("busy", Effect.sync(() => void state.done++)))
      )
      yield* Effect.yieldNow()
      const counts: Array<number> = [state.done]
      while (state.done < 20) {
        yield* loop
        counts.push(state.done)
      }
      yield* Fiber.joinAll(fibers)
      for (const [at, count] of counts.entries()) assert.isAtMost(count - (counts[at - 1] ?? 0), 2)
    })))
})
