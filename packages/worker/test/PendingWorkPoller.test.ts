import { it } from "@effect/vitest"
import type { PendingWorkSummary } from "@trailbook/core/storage"
import { type AnyJob, eraseClaimType, type Job, makePeriodicJob } from "@trailbook/worker/Job"
import * as Worker from "@trailbook/worker/Worker"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import { assert, describe } from "vitest"
import { pass, settleFibers } from "./settled.ts"

const noWork: PendingWorkSummary = {
  deliveries: false,
  taskQueues: [],
  proposals: false,
  subscriptions: false,
  automations: false
}

/** Creates two kinds of pending work, and records the polls, the claims, and the completed work. */
const row = () => ({
  deliveries: [] as Array<string>,
  proposals: [] as Array<string>,
  done: [] as Array<string>,
  looks: 0,
  claims: 0,
  away: false
})

type Row = ReturnType<typeof row>

type Kind = "deliveries" | "proposals"

const jobOf = (row: Row, kind: Kind, overrides: Partial<Job<string>> = {}): AnyJob =>
  eraseClaimType<string>({
    name: kind,
    concurrency: 1,
    pause: "250 millis",
    waitsFor: (due) => due[kind],
    claim: (room) =>
      Effect.sync(() => {
        row.claims++
        return row[kind].splice(0, room)
      }),
    run: (claim) =>
      Effect.sync(() => {
        row.done.push(claim)
        return {}
      }),
    release: () => Effect.void,
    ...overrides
  })

const look = (row: Row): Effect.Effect<PendingWorkSummary> =>
  Effect.suspend(() => {
    row.looks++
    if (row.away) return Effect.dieMessage("no database")
    return Effect.succeed({ ...noWork, deliveries: row.deliveries.length > 0, proposals: row.proposals.length > 0 })
  })

const start = (row: Row, ...jobs: ReadonlyArray<AnyJob>) =>
  Effect.zipRight(
    Worker.start({ jobs: Effect.succeed(jobs), grace: "10 seconds", getPendingWork: look(row) }),
    settleFibers
  )

const silent = Effect.provide(Layer.mergeAll(Logger.remove(Logger.defaultLogger)))

describe("the pending-work query", () => {
  it.scoped("runs 4 times a second as an idle worker's only query", () =>
    Effect.gen(function*() {
      const todo = row()
      yield* start(todo, jobOf(todo, "deliveries"), jobOf(todo, "proposals"))
      const { claims } = todo
      assert.strictEqual(claims, 2, "the jobs did not start with one claim each")
      yield* pass("10 seconds")
      assert.isAtMost(todo.looks, 40)
      assert.isAtLeast(todo.looks, 39)
      assert.strictEqual(todo.claims, claims)
    }))

  it.scoped("wakes only the job that has work, within 250 ms", () =>
    Effect.gen(function*() {
      const todo = row()
      yield* start(todo, jobOf(todo, "deliveries"), jobOf(todo, "proposals"))
      for (const at of [1, 100, 249, 250, 777]) {
        yield* pass(`${at} millis`)
        const { claims } = todo
        todo.proposals.push(`p${at}`)
        yield* pass("250 millis")
        assert.include(todo.done, `p${at}`)
        assert.strictEqual(todo.claims, claims + 2, "the job did not make one claim for the work and one empty claim")
      }
    }))

  it.scoped("does not wake a job before the job's own pause ends", () =>
    Effect.gen(function*() {
      const todo = row()
      yield* start(todo, jobOf(todo, "deliveries", { pause: "2 seconds" }))
      todo.deliveries.push("a")
      yield* pass("1999 millis")
      assert.deepEqual(todo.done, [])
      yield* pass("1 millis")
      assert.deepEqual(todo.done, ["a"])
    }))

  it.scoped("does not run if it covers no job", () =>
    Effect.gen(function*() {
      const todo = row()
      const sweep = Effect.sync(() => {
        todo.claims++
        return 0
      })
      const job = yield* makePeriodicJob({ name: "holds", pause: "1 second", work: sweep, kind: "cancelled" })
      yield* start(todo, job)
      yield* pass("10 seconds")
      assert.strictEqual(todo.looks, 0)
      assert.strictEqual(todo.claims, 11)
    }))

  it.scoped("is retried every second after a failure", () =>
    Effect.gen(function*() {
      const todo = row()
      yield* start(todo, jobOf(todo, "deliveries"))
      todo.away = true
      yield* pass("10 seconds")
      assert.isAtMost(todo.looks, 11)
      todo.deliveries.push("a")
      todo.away = false
      yield* pass("1 second")
      assert.deepEqual(todo.done, ["a"])
    }).pipe(silent))

  it.effect("stops when the worker stops, even if the query hangs", () =>
    Effect.gen(function*() {
      const todo = row()
      const scope = yield* Scope.make()
      yield* Scope.extend(
        Worker.start({
          jobs: Effect.succeed([jobOf(todo, "deliveries")]),
          grace: "10 seconds",
          getPendingWork: Effect.uninterruptible(Effect.never)
        }),
        scope
      )
      yield* pass("1 second")
      yield* Scope.close(scope, Exit.void)
      const { looks } = todo
      yield* pass("10 seconds")
      assert.strictEqual(todo.looks, looks)
    }))

  it.scoped("control: replaces more than 5 separate queries a second", () =>
    Effect.gen(function*() {
      const todo = row()
      const jobs = [jobOf(todo, "deliveries"), jobOf(todo, "proposals")]
      yield* Worker.start({ jobs: Effect.succeed(jobs), grace: "10 seconds" })
      yield* pass("10 seconds")
      assert.isAbove(todo.claims / 10, 5)
    }))
})
