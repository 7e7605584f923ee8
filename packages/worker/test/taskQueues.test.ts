/** Tests fairness between two orgs, one of which has a large backlog. */
import { it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { Tasks, TaskStore } from "@trailbook/core/task"
import * as Handler from "@trailbook/core/task/Handler"
import { type ClaimedTask, defaultQueues, make, type Task, type TaskQueue } from "@trailbook/core/task/Task"
import * as Instant from "@trailbook/core/time/Instant"
import * as MemoryStorage from "@trailbook/memory"
import type { AnyJob } from "@trailbook/worker/Job"
import { taskCleanupJob } from "@trailbook/worker/job/maintenance"
import { makeTaskJob } from "@trailbook/worker/job/taskJob"
import * as Worker from "@trailbook/worker/Worker"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { assert, describe } from "vitest"
import { pass, settleFibers } from "./settled.ts"
import { start } from "./world.ts"

/** The IDs of the completed tasks. */
class CompletedIds extends Context.Tag("Ended")<CompletedIds, Array<string>>() {}

/** Tasks of the org `busy` whose IDs start with `hangs` never complete. */
const handlers = Effect.map(CompletedIds, (endedIds) => {
  const handler = Handler.make<Task>({
    read: Effect.succeed,
    triedForMinutes: Infinity,
    run: ({ id }) =>
      id.startsWith("hangs") ? Effect.never : Effect.sync(() => {
        endedIds.push(id)
        return "done"
      })
  })
  return Record.map(defaultQueues, () => handler)
})

const world = Tasks.layer(handlers).pipe(
  Layer.provideMerge(Layer.mergeAll(
    MemoryStorage.layer,
    Layer.sync(CompletedIds, () => []),
    Layer.effectDiscard(TestClock.setTime(start))
  ))
)

/** Ignores `exceptOrgs`, which makes the claims unfair. */
const unfair = Layer.effect(
  Tasks,
  Effect.map(
    Tasks,
    (service) => ({ ...service, claim: (queue: TaskQueue, limit: number) => service.claim(queue, limit) })
  )
).pipe(Layer.provideMerge(world))

const add = (orgId: string, queue: TaskQueue, ids: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    yield* (yield* OrgStore).put(Org.make({ id: orgId, name: orgId, slug: orgId, timezone: "UTC", createdAt: start }))
    const dueAt = Instant.make(start - (orgId === "busy" ? 1000 : 0))
    yield* (yield* TaskStore).add(
      ids.map((id) => make({ id, orgId, kind: "mail.confirmed", queue, subjectId: "s", dueAt }))
    )
  })

const many = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}`)

/** Stops the worker at the end of the test, which interrupts hanging tasks. */
const working = (job: Effect.Effect<AnyJob, never, Tasks>) =>
  Effect.gen(function*() {
    const scope = yield* Scope.make()
    yield* Scope.extend(Worker.start({ jobs: Effect.all([job]), grace: "2 seconds" }), scope)
    yield* Effect.addFinalizer((exit) =>
      Effect.flatMap(
        Effect.fork(Scope.close(scope, exit)),
        (stopping) => Effect.zipRight(pass("2 seconds"), Fiber.join(stopping))
      )
    )
    yield* settleFibers
  })

const isConfirmed = Effect.map(CompletedIds, (endedIds) => endedIds.includes("confirmed"))

describe("a confirmation behind another org's 1,000 emails", () => {
  const afterHalfASecond = Effect.gen(function*() {
    yield* add("busy", "mail", many(1000, "m"))
    yield* add("calm", "mail", ["confirmed"])
    yield* working(makeTaskJob("mail"))
    yield* pass("500 millis")
    return yield* isConfirmed
  })

  it.scoped("is sent within half a second", () =>
    Effect.gen(function*() {
      assert.isTrue(yield* afterHalfASecond)
      // The other org's emails are still sent.
      assert.isAbove((yield* CompletedIds).length, 32)
    }).pipe(Effect.provide(world)))

  it.scoped("control: is sent last without fair scheduling", () =>
    Effect.gen(function*() {
      assert.isFalse(yield* afterHalfASecond)
      yield* pass("10 seconds")
      assert.isFalse(yield* isConfirmed)
      yield* pass("10 seconds")
      assert.isTrue(yield* isConfirmed)
    }).pipe(Effect.provide(unfair)))
})

describe("an org whose emails hang", () => {
  const afterTenSeconds = Effect.gen(function*() {
    yield* add("busy", "mail", many(200, "hangs"))
    yield* add("calm", "mail", ["confirmed"])
    yield* working(makeTaskJob("mail"))
    yield* pass("10 seconds")
    yield* add("calm", "mail", ["another"])
    yield* pass("2 seconds")
    return (yield* CompletedIds).includes("another")
  })

  it.scoped("uses only half of a queue's capacity", () =>
    Effect.gen(function*() {
      assert.isTrue(yield* afterTenSeconds)
    }).pipe(Effect.provide(world)))

  it.scoped("control: blocks the queue without a limit per org", () =>
    Effect.gen(function*() {
      assert.isFalse(yield* afterTenSeconds)
    }).pipe(Effect.provide(unfair)))
})

describe("a rate-limited queue", () => {
  const seconds = 2

  /**
   * Returns the number of tasks per second, assuming that there is always more work and each batch takes `durationMs`.
   */
  const rate = (perSecond: number, durationMs: number) =>
    Effect.gen(function*() {
      let ran = 0
      const endless = Layer.succeed(Tasks, {
        ...yield* Tasks,
        claim: (queue: TaskQueue, limit: number) =>
          Effect.succeed(
            many(limit, "m").map((id) => ({
              ...make({ id, orgId: id, kind: "mail.confirmed", queue, subjectId: "s", dueAt: start }),
              fence: 1
            }))
          ),
        attempt: (batch: ReadonlyArray<ClaimedTask>) =>
          Effect.delay(
            Effect.sync(() => {
              ran += batch.length
              return batch.map(() => "done" as const)
            }),
            durationMs
          )
      })
      yield* Effect.provide(working(makeTaskJob("mail", { perSecond })), endless)
      yield* pass(`${seconds} seconds`)
      return ran / seconds
    }).pipe(Effect.provide(world), Effect.scoped)

  it("does not accept the index of a list as its rate", () => {
    // @ts-expect-error `map` passes the index as the second argument, so the first queue would get a rate of 0.
    const makeJobs = () => defaultQueues.map(makeTaskJob)
    assert.isFunction(makeJobs)
  })

  it.effect.each([[1, 0], [7, 0], [64, 0], [1000, 0], [1000, 20]] as const)(
    "never exceeds the limit: %j",
    ([perSecond, durationMs]) =>
      // The first batch starts immediately.
      Effect.map(rate(perSecond, durationMs), (ran) => assert.isAtMost(ran, perSecond + 64 / seconds))
  )

  it.effect("reaches half of its limit with 80 ms batches", () =>
    Effect.map(rate(1000, 80), (ran) => assert.isAtLeast(ran, 500)))

  it.effect("starts 100 ms batches every 900 ms by default", () =>
    Effect.map(rate(64, 100), (ran) => assert.strictEqual(ran, 3 * 16 / seconds)))
})

it.scoped("a queue's job runs only that queue's tasks", () =>
  Effect.gen(function*() {
    yield* add("busy", "bulk", many(100, "hangs"))
    yield* add("calm", "mail", ["confirmed"])
    yield* add("calm", "own", ["own"])
    yield* working(makeTaskJob("mail"))
    assert.deepStrictEqual(yield* CompletedIds, ["confirmed"])
  }).pipe(Effect.provide(world)))

it.scoped("the cleanup job deletes a task 30 days after its permanent failure", () =>
  Effect.gen(function*() {
    const taskStore = yield* TaskStore
    yield* add("calm", "mail", ["t"])
    const [task] = yield* taskStore.claim({ queue: "mail", exceptOrgs: [], now: start, limit: 1, leaseMs: 1000 })
    if (task !== undefined) yield* taskStore.giveUp({ ...task, givenUpAt: start })
    const failingTasks = taskStore.failing({ orgId: undefined, failures: 1, after: undefined, limit: 1 })
    yield* working(taskCleanupJob)
    yield* pass("30 days")
    assert.lengthOf(yield* failingTasks, 1)
    yield* pass("1 hour")
    assert.lengthOf(yield* failingTasks, 0)
  }).pipe(Effect.provide(world)))
