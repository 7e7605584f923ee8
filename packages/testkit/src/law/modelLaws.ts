/** Runs the same script on two storage adapters. Both must return the same results and end in the same state. */
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type OperationInput, script, type Step } from "../generator/script.ts"
import { checkInvariants } from "../invariants.ts"
import { forAll } from "./forAll.ts"
import { law } from "./Law.ts"
import * as ScriptRunner from "./ScriptRunner.ts"
import { newId } from "./seedOrg.ts"
import { listUnclaimedTasks } from "./task/tasks.ts"

let scriptCount = 0

const call = (name: string, input: OperationInput): Step => ({
  _tag: "Call",
  name,
  input,
  pick: {}
})

/** Subscribes to later events, and exports the org's data at the end. */
const finalCalls = [
  call("webhooks.create", { url: "https://outfitter.example/events", events: ["booking.held", "no.such.type"] }),
  call("webhooks.create", { url: "https://outfitter.example/all" }),
  call("webhooks.list", {}),
  call("org.export", {})
]

/** Returns the org's pending work. Work that is due at the same instant can be in any order. */
const waitingTasks = (orgId: string) =>
  Effect.map(
    listUnclaimedTasks,
    (tasks) => tasks.filter((task) => task.orgId === orgId).toSorted((a, b) => a.id < b.id ? -1 : 1)
  )

export const modelLaws = [
  law(
    "model/same-answers",
    "returns the same results and queues the same tasks as the reference adapter",
    (conditions) =>
      Effect.scoped(Effect.gen(function*() {
        const reference = yield* Layer.build(conditions.reference)
        yield* forAll(conditions, script(40), (script) =>
          Effect.scoped(Effect.gen(function*() {
            const options = { orgId: newId(), script, seed: ++scriptCount }
            const adapterRunner = yield* ScriptRunner.open({ ...options, batches: { concurrency: 1, maxBatchSize: 8 } })
            const referenceRunner = yield* Effect.provide(ScriptRunner.open({ ...options, batches: "none" }), reference)
            for (const [at, step] of [...script.steps, ...finalCalls].entries()) {
              assert.deepStrictEqual(
                yield* adapterRunner.play(step),
                yield* referenceRunner.play(step),
                `step ${at}: ${JSON.stringify(step)}`
              )
            }
            const { orgId } = adapterRunner
            assert.deepStrictEqual(yield* waitingTasks(orgId), yield* Effect.provide(waitingTasks(orgId), reference))
            assert.strictEqual((yield* checkInvariants(orgId)).join("\n"), "")
          })))
      }))
  )
]
