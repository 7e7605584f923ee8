import type { TaskKey } from "@trailbook/core/task"
import { type ClaimedTask, type Task, taskKinds, type TaskQueue, taskQueues } from "@trailbook/core/task/Task"
import { type Instant, make as instant, max } from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Struct from "effect/Struct"
import { moment } from "../../generator/moment.ts"
import { type OrgData, orgData } from "../../generator/orgData.ts"
import { text } from "../../generator/text.ts"
import { type Law, lawForAll, type LawSteps, runConcurrently, toEffect } from "../Law.ts"
import { assertAscending, assertSameRows, readAllPages } from "../rowAssertions.ts"
import { newId, seedOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { checkInvalidClaims, checkLease, claimConcurrently, claimDue, type Queue } from "./queueRules.ts"
import { claimAllTasks, claimAllTasksFor, hourMs, listUnclaimedTasks } from "./tasks.ts"

interface TaskInput extends Omit<Task, "id" | "orgId" | "subjectId"> {
  readonly bookingIndex: number
}

const taskInput: FastCheck.Arbitrary<TaskInput> = FastCheck.record({
  kind: FastCheck.constantFrom(...taskKinds),
  queue: FastCheck.constantFrom(...taskQueues),
  dueAt: moment,
  attempts: FastCheck.nat({ max: 30 }),
  lastError: FastCheck.option(text(200)),
  givenUpAt: FastCheck.constant(null),
  bookingIndex: FastCheck.nat({ max: 4 })
})

interface Case {
  readonly org: OrgData
  readonly tasks: ReadonlyArray<TaskInput>
  readonly now: Instant
  readonly queue: TaskQueue
}

const cases: FastCheck.Arbitrary<Case> = FastCheck.record({
  org: orgData(4),
  tasks: FastCheck.array(taskInput, { maxLength: 12 }),
  now: moment,
  queue: FastCheck.constantFrom(...taskQueues)
})

/** Cases in which some tasks have failed permanently. */
const failedCases: FastCheck.Arbitrary<Case> = cases.chain((testCase) =>
  FastCheck.record({
    givenUp: FastCheck.array(FastCheck.option(moment, { freq: 2 }), { minLength: 12, maxLength: 12 }),
    failures: FastCheck.array(FastCheck.nat({ max: 3 }), { minLength: 12, maxLength: 12 })
  }).map(({ failures, givenUp }) => ({
    ...testCase,
    tasks: testCase.tasks.map((task, at) => ({
      ...task,
      givenUpAt: givenUp[at] ?? null,
      attempts: failures[at] ?? 0
    }))
  }))
)

/** Adds tasks about bookings in two orgs, and removes the remaining tasks after the case. */
const withTasks = (
  { tasks, org }: Pick<Case, "tasks" | "org">,
  work: (tasks: ReadonlyArray<Task>) => LawSteps
) =>
  Effect.gen(function*() {
    const bookings = [...(yield* seedOrg(org)).bookings, ...(yield* seedOrg(org)).bookings]
    const addedTasks = tasks.flatMap(({ bookingIndex, ...task }) => {
      const booking = bookings[bookingIndex * 2 % (bookings.length + 1)]
      return booking === undefined ? [] : [{ ...task, id: newId(), orgId: booking.orgId, subjectId: booking.id }]
    })
    yield* Store.tasks.add(addedTasks)
    yield* toEffect(work(addedTasks))
    yield* Store.tasks.done(yield* claimAllTasks)
    yield* Store.tasks.forget(max, 1000)
    // A law must release all of its claims.
    assert.deepStrictEqual(yield* listUnclaimedTasks, [])
  })

/** Creates a law about tasks for bookings in two orgs. */
const taskLaw = (
  key: Law["key"],
  title: string,
  arbitrary: FastCheck.Arbitrary<Case>,
  work: (tasks: ReadonlyArray<Task>, testCase: Case) => LawSteps
): Law => lawForAll(key, title, arbitrary, (testCase) => withTasks(testCase, (tasks) => work(tasks, testCase)))

/** Creates a law about several tasks, only the first of which is claimed. */
const oneClaimLaw = (
  key: Law["key"],
  title: string,
  work: (
    claim: ClaimedTask,
    others: ReadonlyArray<Task>
  ) => LawSteps
): Law =>
  taskLaw(key, title, cases, function*(tasks) {
    const [claim, ...others] = yield* claimAllTasks
    if (claim === undefined) return assert.deepStrictEqual(tasks, [])
    yield* Store.tasks.release(others)
    yield* toEffect(work(claim, others.map(toTask)))
  })

const toTask = (claim: ClaimedTask): Task => Struct.omit(claim, "fence")

/** Claims tasks with a lease that has already expired. */
const claimWithExpiredLease = claimAllTasksFor(-1)

const claimOptions = { exceptOrgs: [], leaseMs: hourMs }

/** The queue of tasks like this one. Each org also has a task that is due later, and that must not change. */
const makeTaskQueue = (sample: Task): Queue<ClaimedTask> => {
  // Only tasks that have failed can be read without a claim.
  const task = { ...sample, attempts: sample.attempts + 1 }
  return {
    add: (orgId) =>
      Store.tasks.add(
        [task, { ...task, dueAt: instant(task.dueAt + 1) }].map((row) => ({ ...row, orgId, id: newId() }))
      ),
    claim: (leaseMs) =>
      Store.tasks.claim({ ...claimOptions, queue: task.queue, now: task.dueAt, limit: 1000, leaseMs }),
    getOrgId: ({ orgId }) => orgId,
    release: (claim) => Store.tasks.release([claim]),
    uses: { giveUp: (claim) => Store.tasks.giveUp({ ...claim, givenUpAt: max, lastError: "void" }) },
    silentUses: {
      done: (claim) => Store.tasks.done([claim]),
      postpone: (claim) => Store.tasks.postpone({ ...claim, dueAt: instant(claim.dueAt + hourMs), lastError: "void" })
    },
    read: (orgId) => Store.tasks.failing({ orgId, failures: 1, limit: 10 }),
    describe: Struct.omit("fence", "id", "orgId")
  }
}

const hasFailed = ({ attempts, givenUpAt }: Task): boolean => attempts > 0 || givenUpAt !== null

const byKey = (a: TaskKey, b: TaskKey): number =>
  a.orgId === b.orgId ? (a.id < b.id ? -1 : 1) : a.orgId < b.orgId ? -1 : 1

/** The permanently failed tasks, including those never tried. */
const readPermanentFailures = Effect.map(
  Store.tasks.failing({ failures: 1, limit: 1000 }),
  (tasks) => tasks.filter(({ givenUpAt }) => givenUpAt !== null)
)

export const taskLaws = [
  taskLaw(
    "tasks/due",
    "claims all orgs' due tasks in one queue, most overdue first, up to a limit",
    cases,
    function*(tasks, testCase) {
      const { queue, now } = testCase
      const expected = tasks.filter((task) => task.dueAt <= now && task.queue === queue)
      const claim = Store.tasks.claim({ ...claimOptions, queue, now, limit: 1000 })
      const due = yield* claimDue(claim, expected, ({ dueAt }) => dueAt)
      yield* Store.tasks.release(due)
      const claims: Array<ClaimedTask> = []
      for (const limit of [1, 2, 5]) {
        const claimedTasks = yield* Store.tasks.claim({ ...claimOptions, queue, now, limit })
        assert.strictEqual(claimedTasks.length, Math.min(limit, due.length - claims.length))
        claims.push(...claimedTasks)
      }
      // The next claim returns the next due task.
      assert.deepStrictEqual(claims.map(({ dueAt }) => dueAt), due.slice(0, claims.length).map(({ dueAt }) => dueAt))
      yield* Store.tasks.release(claims)
    }
  ),

  lawForAll(
    "tasks/claimed-once",
    "gives each task to only one of several concurrent workers",
    FastCheck.tuple(cases, FastCheck.integer({ min: 1, max: 4 })),
    ([testCase, limit]) =>
      withTasks(testCase, function*(tasks) {
        const claims = yield* claimConcurrently(claimAllTasksFor(hourMs, limit), 5)
        assertSameRows(claims.map(toTask), tasks)
        yield* Store.tasks.release(claims)
      })
  ),

  oneClaimLaw(
    "tasks/lease",
    "reserves a claimed task until the lease expires, and then frees it",
    function*(claim, others) {
      assertSameRows(yield* listUnclaimedTasks, others)
      yield* Store.tasks.release([claim])
      assertSameRows((yield* claimWithExpiredLease).map(toTask), [toTask(claim), ...others])
      yield* checkLease(makeTaskQueue(toTask(claim)))
    }
  ),

  oneClaimLaw(
    "tasks/done",
    "removes a completed task, keeps all other tasks, and ignores a second completion",
    function*(claim, others) {
      yield* Store.tasks.done([])
      assertSameRows(yield* listUnclaimedTasks, others)
      yield* Store.tasks.done([claim, claim])
      yield* Store.tasks.done([claim])
      assertSameRows(yield* listUnclaimedTasks, others)
    }
  ),

  taskLaw(
    "tasks/done-together",
    "removes only the tasks whose claims are valid when several tasks are completed together",
    cases,
    function*() {
      // The expired claim is still valid, and the task is visible to other workers.
      const claims = yield* claimWithExpiredLease
      const releasedClaims = claims.filter((_, at) => at % 3 === 1)
      yield* Store.tasks.release(releasedClaims)
      const limit = Math.ceil(claims.length / 8)
      const newClaims = yield* claimAllTasksFor(hourMs, limit)
      const remainingIds = new Set([...releasedClaims, ...newClaims].map(({ id }) => id))
      yield* Store.tasks.done(claims)
      yield* Store.tasks.release(newClaims)
      assertSameRows(yield* listUnclaimedTasks, claims.filter(({ id }) => remainingIds.has(id)).map(toTask))
    }
  ),

  oneClaimLaw(
    "tasks/postpone",
    "makes a postponed task due at its new time and stores the error",
    function*(claim, others) {
      const later = {
        ...claim,
        dueAt: instant(claim.dueAt + hourMs),
        attempts: claim.attempts + 1,
        lastError: "no answer"
      }
      yield* Store.tasks.postpone(later)
      const earlyClaims = yield* Store.tasks.claim({
        ...claimOptions,
        queue: later.queue,
        now: instant(later.dueAt - 1),
        limit: 1000
      })
      assert.notInclude(earlyClaims.map(({ id }) => id), claim.id)
      yield* Store.tasks.release(earlyClaims)
      const claims = yield* claimAllTasks
      assertSameRows(claims.map(toTask), [toTask(later), ...others])
      assertAscending(claims.filter(({ queue }) => queue === later.queue).map(({ dueAt }) => dueAt))
      yield* Store.tasks.release(claims)
    }
  ),

  oneClaimLaw(
    "tasks/release",
    "releases a task unchanged so that it can be claimed again",
    function*(claim, others) {
      yield* Store.tasks.release([claim, claim])
      assertSameRows(yield* listUnclaimedTasks, [toTask(claim), ...others])
    }
  ),

  oneClaimLaw(
    "tasks/gone",
    "does not restore a completed task when it is postponed or released later",
    function*(claim, others) {
      yield* Store.tasks.done([claim])
      yield* Store.tasks.postpone({ ...claim, attempts: claim.attempts + 1 })
      yield* Store.tasks.release([claim])
      assertSameRows(yield* listUnclaimedTasks, others)
    }
  ),

  oneClaimLaw(
    "tasks/void",
    "ignores a stale claim on a task that was requeued or claimed again",
    (claim) => checkInvalidClaims(makeTaskQueue(toTask(claim)))
  ),

  taskLaw(
    "tasks/except",
    "skips tasks of excluded orgs, and fills the limit with tasks of other orgs",
    cases,
    function*(tasks, testCase) {
      const [first] = tasks
      const exceptOrgs = first === undefined ? [] : [first.orgId]
      const query = { ...claimOptions, queue: testCase.queue, now: max, exceptOrgs }
      const expected = tasks.filter(({ queue, orgId }) => queue === testCase.queue && orgId !== first?.orgId)
      const claim = Store.tasks.claim({ ...query, limit: 1000 })
      const claims = yield* claimDue(claim, expected, ({ dueAt }) => dueAt)
      yield* Store.tasks.release(claims)
      const claimedTasks = yield* Store.tasks.claim({ ...query, limit: 1 })
      assert.strictEqual(claimedTasks.length, Math.min(1, expected.length))
      yield* Store.tasks.release(claimedTasks)
      assert.deepStrictEqual(yield* Store.tasks.claim({ ...query, exceptOrgs: getOrgIds(tasks), limit: 1 }), [])
    }
  ),

  oneClaimLaw(
    "tasks/given-up",
    "does not rerun a permanently failed task, and lists it with its failure time and reason",
    function*(claim, others) {
      const failedTask = {
        ...claim,
        attempts: claim.attempts + 1,
        lastError: "no such mailbox",
        givenUpAt: instant(claim.dueAt + hourMs)
      }
      assert.isTrue(yield* Store.tasks.giveUp(failedTask))
      assertSameRows(yield* listUnclaimedTasks, others)
      assertSameRows(yield* readPermanentFailures, [toTask(failedTask)])
      // A void claim can neither return nor remove the task.
      assert.isFalse(yield* Store.tasks.giveUp({ ...failedTask, lastError: "twice" }))
      yield* Store.tasks.release([failedTask])
      yield* Store.tasks.postpone(failedTask)
      yield* Store.tasks.done([failedTask])
      assertSameRows(yield* listUnclaimedTasks, others)
      assertSameRows(yield* readPermanentFailures, [toTask(failedTask)])
    }
  ),

  lawForAll(
    "tasks/failing",
    "lists failed and failing tasks in pages, for one org or all orgs, and includes a refund after its first failure",
    FastCheck.tuple(failedCases, FastCheck.integer({ min: 1, max: 3 })),
    ([testCase, failures]) =>
      withTasks(testCase, function*(tasks) {
        const expected = tasks.filter(({ attempts, givenUpAt, kind }) =>
          givenUpAt !== null || attempts >= (kind === "refund" ? 1 : failures)
        )
        const readPages = (orgId?: string) =>
          readAllPages(
            2,
            (after: Task | undefined) => Store.tasks.failing({ orgId, failures, after, limit: 2 }),
            (task) => task
          )
        assert.deepStrictEqual(yield* readPages(), expected.toSorted(byKey))
        for (const orgId of getOrgIds(tasks)) {
          const orgTasks = expected.filter((task) => task.orgId === orgId)
          assert.deepStrictEqual(yield* readPages(orgId), orgTasks.toSorted(byKey))
        }
      })
  ),

  taskLaw(
    "tasks/retry",
    "resets only failed tasks, so that they run again from the first attempt",
    failedCases,
    function*(tasks, testCase) {
      const [claim] = yield* claimAllTasks.pipe(Effect.tap((all) => Store.tasks.release(all.slice(1))))
      const failedTasks = tasks.filter((task) => hasFailed(task) && task.id !== claim?.id)
      const keys = [...tasks, ...tasks, { orgId: newId(), id: newId() }]
      assertSameRows(yield* Store.tasks.retry(keys, testCase.now), failedTasks.map(({ id, orgId }) => ({ orgId, id })))
      const expected = tasks.filter(({ id }) => id !== claim?.id).map((task) =>
        hasFailed(task) ? { ...task, dueAt: testCase.now, attempts: 0, givenUpAt: null } : task
      )
      assertSameRows(yield* listUnclaimedTasks, expected)
      if (claim !== undefined) yield* Store.tasks.release([claim])
    }
  ),

  taskLaw(
    "tasks/retried-once",
    "reports a restarted task to only one of several concurrent callers",
    failedCases,
    function*(tasks, testCase) {
      const retry = Store.tasks.retry(tasks, testCase.now)
      const results = yield* runConcurrently([retry, retry, retry, retry])
      assertSameRows(results.flat(), tasks.filter(hasFailed).map(({ id, orgId }) => ({ orgId, id })))
    }
  ),

  taskLaw(
    "tasks/forget",
    "removes only tasks that failed permanently before a given time, up to a limit",
    failedCases,
    function*(tasks, testCase) {
      const oldTasks = tasks.filter(({ givenUpAt }) => givenUpAt !== null && givenUpAt < testCase.now)
      assert.strictEqual(yield* Store.tasks.forget(testCase.now, 1), Math.min(1, oldTasks.length))
      assert.strictEqual(yield* Store.tasks.forget(testCase.now, 1000), Math.max(0, oldTasks.length - 1))
      assertSameRows(
        yield* readPermanentFailures,
        tasks.filter((task) => task.givenUpAt !== null && !oldTasks.includes(task))
      )
      assertSameRows(yield* listUnclaimedTasks, tasks.filter((task) => task.givenUpAt === null))
    }
  )
]

const getOrgIds = (tasks: ReadonlyArray<Task>): ReadonlyArray<string> => [...new Set(tasks.map(({ orgId }) => orgId))]
