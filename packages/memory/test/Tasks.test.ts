/** Tests the outcomes of tasks with test handlers. */
import { assert, describe, it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import * as Orgs from "@trailbook/core/org/Org"
import { mailRetryLimitMinutes, Tasks, TaskStore } from "@trailbook/core/task"
import * as Handler from "@trailbook/core/task/Handler"
import { defaultQueues, make, type Task, taskKinds } from "@trailbook/core/task/Task"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as Memory from "@trailbook/memory"
import { claimAllTasksFor } from "@trailbook/testkit/law/task/tasks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as TestClock from "effect/TestClock"

const fails = (permanent: boolean) => Effect.fail(new Handler.TaskFailed({ message: "no such mailbox", permanent }))

type Of = Partial<Handler.HandlerDefinition<Task>>

/** One handler for all task kinds. Steps that a test does not override succeed. */
const worldOf = (of: Of | ((orgs: OrgStore["Type"]) => Of)) =>
  Tasks.layer(Effect.map(OrgStore, (orgs) => {
    const handler = Handler.make<Task>({
      read: Effect.succeed,
      run: () => Handler.taskDone,
      triedForMinutes: mailRetryLimitMinutes,
      ...(typeof of === "function" ? of(orgs) : of)
    })
    return Record.map(defaultQueues, () => handler)
  })).pipe(Layer.provideMerge(Memory.layer))

const org: Org = Orgs.make({ id: "o", name: "Pine", slug: "pine", timezone: "UTC", createdAt: Instant.make(0) })

const add = (...ids: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    yield* (yield* OrgStore).put(org)
    const dueAt = yield* currentTime
    const fields = { orgId: org.id, kind: "mail.moved", subjectId: "s", dueAt } as const
    yield* (yield* TaskStore).add(ids.map((id) => make({ ...fields, id })))
  })

const run = Effect.flatMap(Tasks, ({ run }) => run(10))

const failures = Effect.flatMap(
  TaskStore,
  ({ failing }) => failing({ orgId: undefined, failures: 1, after: undefined, limit: 10 })
)

const nameOf = Effect.map(
  Effect.flatMap(OrgStore, ({ find }) => find(org.id)),
  Option.match({ onNone: () => "", onSome: ({ name }) => name })
)

describe("a task", () => {
  it.effect("is abandoned after five days of failed retries", () =>
    Effect.gen(function*() {
      yield* add("t")
      const began = yield* currentTime
      let attempts = 0
      while ((yield* claimAllTasksFor(0)).length > 0) {
        const [pendingTask] = yield* claimAllTasksFor(0)
        yield* TestClock.setTime(pendingTask?.dueAt ?? Instant.max)
        attempts += yield* run
      }
      const [failedTask] = yield* failures
      assert.deepStrictEqual(
        [failedTask?.attempts, failedTask?.lastError, failedTask?.givenUpAt],
        [attempts, "no such mailbox", yield* currentTime]
      )
      const days = ((yield* currentTime) - began) / 86_400_000
      assert.isTrue(days >= 5 && days < 5.25, `${days} days`)
    }).pipe(Effect.provide(worldOf({ run: () => fails(false) }))))

  it.effect("is abandoned immediately if it fails permanently", () =>
    Effect.gen(function*() {
      yield* add("t")
      assert.strictEqual(yield* run, 1)
      assert.deepStrictEqual(yield* claimAllTasksFor(0), [])
      assert.deepStrictEqual((yield* failures).map(({ attempts, id }) => [id, attempts]), [["t", 1]])
      assert.strictEqual(yield* run, 0)
    }).pipe(Effect.provide(worldOf({ run: () => fails(true) }))))

  it.effect("is retried indefinitely if it has no time limit", () => {
    const messages: Array<string> = []
    const recordErrors = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ logLevel, message }) => {
        if (logLevel._tag === "Error") messages.push(String(message))
      })
    )
    return Effect.gen(function*() {
      yield* add("t")
      for (let n = 0; n < 100; n++) {
        yield* TestClock.adjust("6 hours")
        assert.strictEqual(yield* run, 1)
      }
      assert.deepStrictEqual((yield* failures).map(({ attempts, givenUpAt }) => [attempts, givenUpAt]), [[100, null]])
      assert.deepStrictEqual(messages, ["Task has been failing for a day, retrying"])
    }).pipe(
      Effect.provide(worldOf({ run: () => fails(false), triedForMinutes: Infinity })),
      Effect.provide(recordErrors)
    )
  })

  it.effect("starts over with all of its attempts after a restart", () =>
    Effect.gen(function*() {
      yield* add("t")
      yield* run
      assert.strictEqual(yield* run, 0)
      const { retry } = yield* TaskStore
      assert.lengthOf(yield* retry([{ orgId: "o", id: "t" }], yield* currentTime), 1)
      assert.deepStrictEqual((yield* claimAllTasksFor(-1)).map(({ attempts, givenUpAt }) => [attempts, givenUpAt]), [[
        0,
        null
      ]])
      assert.strictEqual(yield* run, 1)
      assert.lengthOf(yield* failures, 1)
    }).pipe(Effect.provide(worldOf({ run: () => fails(true) }))))

  it.effect("can be postponed by its handler, which does not count as a failure", () => {
    let ran = 0
    const laterAt = Instant.make(3_600_000)
    const later = worldOf({ run: () => Effect.sync(() => ran++ === 0 ? { laterAt } : "done") })
    return Effect.gen(function*() {
      yield* add("t")
      assert.strictEqual(yield* run, 1)
      assert.deepStrictEqual((yield* claimAllTasksFor(-1)).map(({ attempts, dueAt }) => [attempts, dueAt]), [[
        0,
        laterAt
      ]])
      assert.strictEqual(yield* run, 0)
      yield* TestClock.setTime(laterAt)
      assert.strictEqual(yield* run, 1)
      assert.deepStrictEqual(yield* claimAllTasksFor(-1), [])
    }).pipe(Effect.provide(later))
  })

  it.effect("is completed if its resource no longer exists", () =>
    Effect.gen(function*() {
      yield* add("t")
      assert.strictEqual(yield* run, 1)
      assert.deepStrictEqual([...yield* claimAllTasksFor(0), ...yield* failures], [])
    }).pipe(
      Effect.provide(worldOf({ read: (tasks) => Effect.succeed(tasks.map(() => undefined)), run: () => fails(true) }))
    ))
})

describe("an abandoned task", () => {
  const renames = (orgs: OrgStore["Type"]): Of => ({
    run: () => fails(true),
    onPermanentFailure: (task, { message }) => orgs.put({ ...org, name: `${task.id}: ${message}` })
  })

  it.effect("is passed to its handler in the transaction that abandons it", () =>
    Effect.gen(function*() {
      yield* add("t")
      yield* run
      assert.lengthOf(yield* failures, 1)
      assert.strictEqual(yield* nameOf, "t: no such mailbox")
    }).pipe(Effect.provide(worldOf(renames))))

  it.effect("is not recorded if another worker has claimed it", () =>
    Effect.gen(function*() {
      yield* add("t")
      const { attempt } = yield* Tasks
      const ownTasks = yield* claimAllTasksFor(-1)
      const otherTasks = yield* claimAllTasksFor(60_000)
      yield* attempt(ownTasks)
      assert.strictEqual(yield* nameOf, "Pine")
      assert.deepStrictEqual(yield* failures, [])
      yield* (yield* TaskStore).release(otherTasks)
      assert.lengthOf(yield* claimAllTasksFor(0), 1)
    }).pipe(Effect.provide(worldOf(renames))))

  it.effect("is retried if it cannot be recorded", () =>
    Effect.gen(function*() {
      yield* add("bad", "good")
      const { attempt } = yield* Tasks
      assert.deepStrictEqual(yield* attempt(yield* claimAllTasksFor(60_000)), ["postponed", "given_up"])
      assert.deepStrictEqual(
        (yield* failures).map(({ givenUpAt, id, lastError }) => [id, givenUpAt !== null, lastError]),
        [["bad", false, "Error: no disk"], ["good", true, "no such mailbox"]]
      )
    }).pipe(Effect.provide(worldOf({
      run: () => fails(true),
      onPermanentFailure: ({ id }) => id === "bad" ? Effect.die(new Error("no disk")) : Effect.void
    }))))

  it.effect("is deleted after thirty days", () =>
    Effect.gen(function*() {
      yield* add("t")
      yield* run
      const { forget } = yield* Tasks
      yield* TestClock.adjust("30 days")
      assert.strictEqual(yield* forget(10), 0)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* forget(10), 1)
      assert.deepStrictEqual(yield* failures, [])
    }).pipe(Effect.provide(worldOf({ run: () => fails(true) }))))
})

it("task handlers do not compile if a task kind has no handler", () => {
  const handler = Handler.make({ read: Effect.succeed, run: () => Handler.taskDone, triedForMinutes: 1 })
  const some = { "mail.held": handler, "mail.confirmed": handler, "mail.moved": handler, "mail.cancelled": handler }
  // @ts-expect-error: no handler for refunds
  const handlers: Handler.HandlersByKind = some
  assert.notDeepEqual(Object.keys(handlers).sort(), taskKinds.toSorted())
})
