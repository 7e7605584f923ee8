/** Tests how often an idle worker polls for the ops agent's work. */
import { it } from "@effect/vitest"
import { AutomationRuns, Proposals } from "@trailbook/core/proposal"
import type { AnyJob } from "@trailbook/worker/Job"
import { automationJob, proposalExecutionJob, proposalExpiryJob } from "@trailbook/worker/job/agent"
import * as Worker from "@trailbook/worker/Worker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert } from "vitest"
import { pass, settleFibers } from "./settled.ts"

const never = Effect.dieMessage("There is no work.")

/** Creates services that have no pending work and count how often they are polled. */
const idleServices = () => {
  const looks = { turns: 0, proposals: 0, expiry: 0 }
  const count = <A>(name: keyof typeof looks, answer: A) =>
    Effect.sync(() => {
      looks[name]++
      return answer
    })
  const layer = Layer.mergeAll(
    Layer.succeed(
      AutomationRuns,
      AutomationRuns.of({
        claim: () => count("turns", []),
        take: () => never,
        release: () => never,
        preview: () => never
      })
    ),
    Layer.succeed(
      Proposals,
      Proposals.of({
        approve: () => never,
        dismiss: () => never,
        undo: () => never,
        claim: () => count("proposals", []),
        run: () => never,
        release: () => never,
        expire: () => count("expiry", 0)
      })
    )
  )
  return { layer, looks }
}

const seconds = 10

/** Returns the polls per second for a worker with each of its jobs changed by `change`. */
const looksOf = (change: (job: AnyJob) => AnyJob) =>
  Effect.gen(function*() {
    const { layer, looks } = idleServices()
    const jobs = Effect.map(Effect.all([automationJob, proposalExecutionJob, proposalExpiryJob]), (all) =>
      all.map(change))
    yield* Worker.start({ jobs, grace: "1 second" }).pipe(Effect.provide(layer))
    yield* settleFibers
    for (let tenths = 0; tenths < seconds * 10; tenths++) {
      yield* pass("100 millis")
    }
    assert.isAbove(Math.min(looks.turns, looks.proposals, looks.expiry), 0)
    return (looks.turns + looks.proposals + looks.expiry) / seconds
  })

it.scoped("an idle worker polls for automation runs and proposals at most 5 times a second", () =>
  Effect.map(looksOf((job) => job), (looks) => assert.isAtMost(looks, 5)))

it.scoped("control: an idle worker polls more often with 100 ms pauses", () =>
  Effect.map(
    looksOf((any) => (use) => any((job) => use({ ...job, pause: "100 millis" }))),
    (looks) => assert.isAbove(looks, 5)
  ))
