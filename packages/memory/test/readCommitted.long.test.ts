/** Tests core's locking on a database that runs transactions concurrently. */
import { OfferingStore } from "@trailbook/core/offering"
import { UnitOfWork } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import * as Memory from "@trailbook/memory"
import { seedOneOfEachResource } from "@trailbook/testkit/law/sampleRows"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { allLaws } from "../../../test/laws/engineLaws.ts"
import { runs, sample } from "../../../test/runs.ts"
import { lateQuestions, messageCrossings } from "./messageCrossings.ts"
import * as ReadCommitted from "./readCommitted.ts"

/**
 * Runs work and returns the deadlocks that occurred. A failed transaction may be retried, so `work` can succeed even if
 * there was a deadlock.
 */
const deadlocksIn = async (locking: ReadCommitted.Locking, work: Effect.Effect<void, never, Storage>) => {
  const deadlocks: Array<string> = []
  const storage = ReadCommitted.layer(locking, (rows) =>
    Effect.suspend(() => {
      deadlocks.push(rows.join(" <- "))
      return Effect.dieMessage(`Units of work wait for each other: ${rows.join(" <- ")}`)
    }))
  const exit = await Effect.runPromiseExit(Effect.provide(work, Layer.fresh(lateQuestions(storage))))
  // If deadlocks occurred, return them instead of the failure, because they may have caused it.
  if (deadlocks.length === 0 && Exit.isFailure(exit)) throw Cause.squash(exit.cause)
  return deadlocks
}

/** Laws about features that the simulated database does not cover. It simulates only visibility and lock waits. */
const notSimulated = new Set(["transactions/outlived", "transactions/snapshot-read-only"])
const simulated = allLaws.filter(({ key }) =>
  /^(transactions|locks|events|feed|races|deliveries\/begins)/.test(key) && !notSimulated.has(key)
)

describe("READ COMMITTED memory storage", () => {
  for (const { check, key, title } of sample([...simulated, ...messageCrossings], 2)) {
    it(`${key}: ${title}`, async () => {
      const conditions = {
        runs: key.startsWith("races/") ? runs(60, 6, 20) : runs(5, 2),
        shrink: true,
        reference: Layer.fresh(Memory.layer)
      }
      assert.deepStrictEqual(await deadlocksIn("sorted", check(conditions)), [])
    })
  }

  it.each(["races/drafts", "races/sign-in-link"])("fails %s without row locks", async (key) => {
    const laws = allLaws.filter((law) => law.key === key)
    const conditions = { runs: 20, shrink: false, reference: Layer.fresh(Memory.layer) }
    assert.lengthOf(laws, 1)
    for (const { check } of laws) {
      const failure = await deadlocksIn("none", check(conditions)).then(() => undefined, String)
      assert.match(failure ?? "", new RegExp(key))
    }
  })

  it("aborts one of two deadlocked transactions", async () => {
    const crosswise = Effect.gen(function*() {
      const { lock } = yield* OfferingStore
      const { run } = yield* UnitOfWork
      const [one, two] = [(yield* seedOneOfEachResource).offering, (yield* seedOneOfEachResource).offering]
      yield* Effect.all([run(lock([one, two])), run(lock([two, one]))], { concurrency: "unbounded" })
    })
    assert.lengthOf(await deadlocksIn("as they are named", crosswise), 1)
    assert.lengthOf(await deadlocksIn("sorted", crosswise), 0)
  })
})
