import { it } from "@effect/vitest"
import { Bookings } from "@trailbook/core/booking"
import { JobResumer } from "@trailbook/core/handler"
import { Tasks } from "@trailbook/core/task"
import { type ClaimedTask, make, type TaskQueue } from "@trailbook/core/task/Task"
import { holdCleanupJob } from "@trailbook/worker/job/maintenance"
import { resumptionJob } from "@trailbook/worker/job/resumptionJob"
import { makeTaskJob as tasksIn } from "@trailbook/worker/job/taskJob"
import { webhookDeliveryJob } from "@trailbook/worker/job/webhookDeliveryJob"
import * as Worker from "@trailbook/worker/Worker"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { assert, describe } from "vitest"
import { pass, settleFibers } from "./settled.ts"
import {
  claim,
  deliveryStatus,
  emitEvents,
  endpoint,
  movedType,
  org,
  readDeliveredIds,
  setAnswer,
  start,
  status,
  world
} from "./world.ts"

const unused = () => Effect.dieMessage("A worker books nothing.")
const bookings = {
  create: unused,
  get: unused,
  confirm: unused,
  prove: unused,
  forgetNetworks: () => Effect.succeed(0),
  pay: unused,
  move: unused,
  update: unused,
  cancel: unused,
  restore: unused,
  tap: unused,
  resend: unused
}

const jobs = Effect.all([webhookDeliveryJob, tasksIn("mail"), tasksIn("money"), holdCleanupJob, resumptionJob])

/** Provides tasks with the given names. A task named `hangs` never completes. */
const tasksOf = (list: { readonly [Name in TaskQueue]?: Array<string> }) => {
  const done: Array<string> = []
  const back: Array<string> = []
  const tasks = Tasks.of({
    claim: (queue, limit, exceptOrgs = []) =>
      Effect.sync(() =>
        exceptOrgs.includes("o") ? [] : (list[queue] ?? []).splice(0, limit).map((id): ClaimedTask => ({
          ...make({ id, orgId: "o", kind: queue === "mail" ? "mail.moved" : "refund", subjectId: "", dueAt: start }),
          fence: 1
        }))
      ),
    attempt: Effect.forEach(({ id }) =>
      id === "hangs" ? Effect.never : Effect.sync(() => {
        done.push(id)
        return "done" as const
      }), { concurrency: "unbounded" }),
    // Completed tasks are deleted, so they cannot be released.
    release: (tasks) =>
      Effect.sync(() => void back.push(...tasks.map(({ id }) => id).filter((id) => !done.includes(id)))),
    forget: unused,
    run: unused
  })
  return { tasks, done, back }
}

const quiet = tasksOf({ mail: [], money: [] })

const services = (tasks = quiet.tasks, sweep: () => Effect.Effect<number> = () => Effect.succeed(0)) =>
  Layer.mergeAll(
    Layer.succeed(Tasks, tasks),
    Layer.succeed(Bookings, { ...bookings, sweep }),
    Layer.succeed(JobResumer, { claim: () => Effect.succeed([]), resume: unused })
  )

const working = Effect.gen(function*() {
  const scope = yield* Scope.make()
  yield* Scope.extend(Worker.start({ jobs, grace: "10 seconds" }), scope)
  yield* settleFibers
  return { stop: Scope.close(scope, Exit.void) }
})

/** Stops a worker with hanging work and waits out its grace period. */
const cutOff = (stop: Effect.Effect<void>) =>
  Effect.flatMap(Effect.fork(stop), (stopping) => Effect.zipRight(pass("10 seconds"), Fiber.join(stopping)))

describe("a worker", () => {
  it.effect("delivers an event within 250 ms", () =>
    Effect.gen(function*() {
      yield* org()
      yield* endpoint("a")
      const { stop } = yield* working
      yield* emitEvents([movedType])
      yield* pass("250 millis")
      assert.deepEqual(yield* readDeliveredIds("a"), [1])
      yield* stop
    }).pipe(Effect.provide(services()), Effect.provide(world)))

  it.effect("delivers to other orgs while one org's receivers hang", () =>
    Effect.gen(function*() {
      yield* org(1)
      yield* org(2)
      // The total limit on concurrent deliveries would allow more.
      for (let at = 0; at < 20; at++) {
        yield* endpoint(`hangs${at}`)
        yield* setAnswer(`hangs${at}`, Effect.never)
      }
      yield* endpoint("well", { org: 2 })
      const { stop } = yield* working
      yield* emitEvents([movedType], 1)
      yield* pass("250 millis")
      yield* emitEvents([movedType], 2)
      yield* pass("250 millis")
      assert.deepEqual(yield* readDeliveredIds("well"), [1])
      // Four deliveries per org run concurrently. When they time out, the next ones start.
      const startedCount = Effect.map(
        Effect.forEach(Array.from({ length: 20 }, (_, at) => at), (at) => readDeliveredIds(`hangs${at}`)),
        (all) => all.flat().length
      )
      assert.strictEqual(yield* startedCount, 4)
      yield* pass("6 seconds")
      assert.strictEqual(yield* startedCount, 8)
      yield* cutOff(stop)
    }).pipe(Effect.provide(services()), Effect.provide(world)))

  it.effect("delivers immediately to a receiver while the org's other receivers are stopped", () =>
    Effect.gen(function*() {
      yield* org(1)
      for (let at = 0; at < 19; at++) {
        yield* endpoint(`hangs${at}`)
        yield* setAnswer(`hangs${at}`, Effect.never)
      }
      yield* endpoint("well")
      const { stop } = yield* working
      yield* emitEvents([movedType])
      // Wait until every endpoint has had its first delivery and deliveries to the hanging endpoints have been stopped.
      yield* pass("1 minute")
      assert.deepEqual(yield* readDeliveredIds("well"), [1])
      for (const id of [2, 3, 4]) {
        yield* emitEvents([movedType])
        yield* pass("250 millis")
        assert.strictEqual((yield* readDeliveredIds("well")).at(-1), id)
      }
      yield* cutOff(stop)
    }).pipe(Effect.provide(services()), Effect.provide(world)))

  it.effect("processes refunds while emails hang", () => {
    const { done, tasks } = tasksOf({ mail: Array.from({ length: 100 }, () => "hangs"), money: ["r1", "r2"] })
    return Effect.gen(function*() {
      const { stop } = yield* working
      assert.deepEqual(done, ["r1", "r2"])
      yield* cutOff(stop)
    }).pipe(Effect.provide(services(tasks)), Effect.provide(world))
  })

  it.effect("sends 16 emails at a time, 4 times a second", () => {
    const { done, tasks } = tasksOf({ mail: Array.from({ length: 100 }, (_, at) => `m${at}`), money: [] })
    return Effect.gen(function*() {
      const { stop } = yield* working
      assert.lengthOf(done, 16)
      for (const count of [32, 48, 64]) {
        yield* pass("249 millis")
        assert.lengthOf(done, count - 16)
        yield* pass("1 millis")
        assert.lengthOf(done, count)
      }
      // Stop during the pause between two batches.
      yield* pass("100 millis")
      yield* stop
      yield* pass("1 minute")
      assert.lengthOf(done, 64)
    }).pipe(Effect.provide(services(tasks)), Effect.provide(world))
  })

  it.effect("pauses 8 times as long as an email batch took", () => {
    const { done, tasks } = tasksOf({ mail: Array.from({ length: 100 }, (_, at) => `m${at}`), money: [] })
    const took = { duration: "100 millis" as "100 millis" | "1 minute" }
    const attempt: Tasks["Type"]["attempt"] = (some) => Effect.delay(tasks.attempt(some), took.duration)
    return Effect.gen(function*() {
      const { stop } = yield* working
      yield* pass("899 millis")
      assert.lengthOf(done, 16)
      took.duration = "1 minute"
      // The second batch of 16 starts after 900 ms and hangs for one second. The third starts after a one-second pause.
      yield* pass("1 millis")
      took.duration = "100 millis"
      yield* pass("2099 millis")
      assert.lengthOf(done, 16)
      yield* pass("1 millis")
      assert.lengthOf(done, 32)
      yield* cutOff(stop)
    }).pipe(Effect.provide(services({ ...tasks, attempt })), Effect.provide(world))
  })

  it.effect("cleans up expired holds at startup, and then once a minute", () => {
    let swept = 0
    const sweep = () =>
      Effect.sync(() => {
        swept++
        return 0
      })
    return Effect.gen(function*() {
      const { stop } = yield* working
      assert.strictEqual(swept, 1)
      yield* pass("59999 millis")
      assert.strictEqual(swept, 1)
      yield* pass("1 millis")
      assert.strictEqual(swept, 2)
      yield* stop
    }).pipe(Effect.provide(services(quiet.tasks, sweep)), Effect.provide(world))
  })

  it.effect("runs until the scope of its layer is closed", () =>
    Effect.gen(function*() {
      yield* org()
      yield* endpoint("a")
      yield* emitEvents([movedType])
      yield* Effect.scoped(Effect.zipRight(Layer.build(Worker.layer({ jobs, grace: "10 seconds" })), settleFibers))
      assert.deepEqual(yield* readDeliveredIds("a"), [1])
      yield* emitEvents([movedType])
      yield* pass("1 minutes")
      assert.deepEqual(yield* readDeliveredIds("a"), [1])
    }).pipe(Effect.provide(services()), Effect.provide(world)))
})

describe("a worker that shuts down", () => {
  it.effect("stops immediately if it has no work", () =>
    Effect.flatMap(working, ({ stop }) => stop).pipe(Effect.provide(services()), Effect.provide(world)))

  it.effect("completes only the request in progress", () =>
    Effect.gen(function*() {
      yield* org()
      const webhook = yield* endpoint("a")
      const gate = yield* Deferred.make<void>()
      yield* setAnswer("a", Effect.as(Deferred.await(gate), status(200)))
      yield* emitEvents([movedType, movedType, movedType])
      const { stop } = yield* working
      const stopping = yield* Effect.fork(stop)
      yield* pass("3 seconds")
      assert.isNull(stopping.unsafePoll())
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(stopping)
      assert.deepEqual(yield* readDeliveredIds("a"), [1])
      assert.strictEqual((yield* deliveryStatus(webhook))?.[0], 200)
      // The next worker can claim the remaining events without waiting for the lease to expire.
      assert.strictEqual(Option.getOrThrow(yield* claim).claim.cursor, 1)
    }).pipe(Effect.provide(services()), Effect.provide(world)))

  it.effect("ends within its grace period, and releases hanging work", () => {
    const { back, tasks } = tasksOf({ mail: ["hangs", "m1"], money: ["hangs"] })
    return Effect.gen(function*() {
      yield* org()
      yield* endpoint("a")
      yield* emitEvents([movedType])
      const { stop } = yield* working
      const stopping = yield* Effect.fork(stop)
      yield* pass("8999 millis")
      assert.isNull(stopping.unsafePoll())
      yield* pass("1 millis")
      yield* Fiber.join(stopping)
      assert.deepEqual(back, ["hangs", "hangs"])
    }).pipe(Effect.provide(services(tasks)), Effect.provide(world))
  })

  it.effect("ends even if the database is down", () => {
    const { tasks } = tasksOf({ mail: ["hangs"], money: [] })
    return Effect.gen(function*() {
      const { stop } = yield* working
      const stopping = yield* Effect.fork(stop)
      yield* pass("9 seconds")
      assert.isNull(stopping.unsafePoll())
      yield* pass("1 seconds")
      yield* Fiber.join(stopping)
    }).pipe(Effect.provide(services({ ...tasks, release: () => Effect.never })), Effect.provide(world))
  })
})

describe("runUntilIdle", () => {
  it.effect("runs all pending work, and returns a summary", () => {
    const { done, tasks } = tasksOf({ mail: ["m1", "m2", "m3"], money: ["r1"] })
    const counts = [100, 7]
    return Effect.gen(function*() {
      yield* org(1)
      yield* endpoint("a")
      yield* endpoint("b")
      yield* setAnswer("b", status(500))
      yield* emitEvents(Array.from({ length: 70 }, () => movedType))
      assert.deepEqual(yield* Worker.runUntilIdle(jobs), {
        deliveries: { delivered: 70, stopped: 1 },
        mail: { done: 3 },
        money: { done: 1 },
        "hold-cleanup": { cancelled: 107 },
        "resumable-jobs": {}
      })
      assert.lengthOf(done, 4)
      assert.deepEqual(yield* Worker.runUntilIdle(jobs), {
        deliveries: {},
        mail: {},
        money: {},
        "hold-cleanup": { cancelled: 0 },
        "resumable-jobs": {}
      })
    }).pipe(
      Effect.provide(services(tasks, () => Effect.sync(() => counts.shift() ?? 0))),
      Effect.provide(world)
    )
  })

  it.effect("releases its claims if it is interrupted", () =>
    Effect.gen(function*() {
      yield* org()
      yield* endpoint("a")
      yield* setAnswer("a", Effect.never)
      yield* emitEvents([movedType])
      const fiber = yield* Effect.fork(Worker.runUntilIdle(jobs))
      yield* settleFibers
      assert.isTrue(Option.isNone(yield* claim))
      yield* Fiber.interrupt(fiber)
      assert.isTrue(Option.isSome(yield* claim))
    }).pipe(Effect.provide(services()), Effect.provide(world)))

  it.effect("counts a run that dies as failed, and completes the other runs", () => {
    // Emails run in batches of 16.
    const { tasks } = tasksOf({ mail: ["dies", ...Array.from({ length: 20 }, (_, at) => `m${at}`)], money: [] })
    const attempt: Tasks["Type"]["attempt"] = (some) =>
      some.some(({ id }) => id === "dies") ? Effect.dieMessage("no disk") : tasks.attempt(some)
    return Effect.gen(function*() {
      assert.deepEqual((yield* Worker.runUntilIdle(jobs)).mail, { done: 5, failed: 1 })
    }).pipe(Effect.provide(services({ ...tasks, attempt })), Effect.provide(world))
  })

  it.effect("fails if the database is down", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(Worker.runUntilIdle(jobs))
      assert.isTrue(Exit.isFailure(exit))
    }).pipe(
      Effect.provide(services({ ...quiet.tasks, claim: () => Effect.dieMessage("no database") })),
      Effect.provide(world)
    ))
})
