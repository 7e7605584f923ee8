import type { Storage } from "@trailbook/core/storage/Storage"
import type { ClaimedTask, Task, TaskKind } from "@trailbook/core/task/Task"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import { type Instant, make as instant, max } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Struct from "effect/Struct"
import { assert } from "vitest"
import { moment } from "../generator/moment.ts"
import { text } from "../generator/text.ts"
import { type Town, town } from "../generator/town.ts"
import { sameRows } from "./compare.ts"
import { forAll } from "./forAll.ts"
import { type Law, law } from "./Law.ts"
import { freshId, settle } from "./settle.ts"
import { claimAll, hourMs, taskKinds, unclaimed } from "./tasks.ts"

interface Raw extends Pick<Task, "kind" | "dueAt" | "attempts" | "lastError"> {
  readonly of: number
}

const raw: FastCheck.Arbitrary<Raw> = FastCheck.record({
  kind: FastCheck.constantFrom(...taskKinds),
  dueAt: moment,
  attempts: FastCheck.nat({ max: 30 }),
  lastError: FastCheck.option(text(200)),
  of: FastCheck.nat({ max: 4 })
})

interface Case {
  readonly town: Town
  readonly tasks: ReadonlyArray<Raw>
  readonly now: Instant
  readonly kinds: ReadonlyArray<TaskKind>
}

const cases: FastCheck.Arbitrary<Case> = FastCheck.record({
  town: town(4),
  tasks: FastCheck.array(raw, { maxLength: 12 }),
  now: moment,
  kinds: FastCheck.subarray([...taskKinds])
})

/** Adds tasks about the bookings of two orgs, and takes away what is left when the case is over. */
const withTasks = (
  { tasks, town }: Pick<Case, "tasks" | "town">,
  work: (tasks: ReadonlyArray<Task>, taskStore: TaskStore["Type"]) => Effect.Effect<void, never, Storage>
) =>
  Effect.gen(function*() {
    const taskStore = yield* TaskStore
    const bookings = [...(yield* settle(town)).bookings, ...(yield* settle(town)).bookings]
    const added = tasks.flatMap(({ of, ...task }) => {
      const booking = bookings[of * 2 % (bookings.length + 1)]
      return booking === undefined ? [] : [{ ...task, id: freshId(), orgId: booking.orgId, bookingId: booking.id }]
    })
    yield* taskStore.add(added)
    yield* work(added, taskStore)
    yield* taskStore.done(yield* claimAll)
    // Nobody in a law keeps what was claimed.
    assert.deepStrictEqual(yield* unclaimed, [])
  })

/** A law about the first of some tasks, which is claimed, and the others, which nobody has claimed. */
const aboutOneClaimed = (
  key: Law["key"],
  says: string,
  work: (
    claimed: ClaimedTask,
    others: ReadonlyArray<Task>,
    taskStore: TaskStore["Type"]
  ) => Effect.Effect<void, never, Storage>
): Law =>
  law(
    key,
    says,
    (conditions) =>
      forAll(conditions, cases, (given) =>
        withTasks(given, (tasks, taskStore) =>
          Effect.gen(function*() {
            const [claimed, ...others] = yield* claimAll
            if (claimed === undefined) return assert.deepStrictEqual(tasks, [])
            yield* taskStore.release(others)
            yield* work(claimed, others.map(asAdded), taskStore)
          })))
  )

const asAdded = (claimed: ClaimedTask): Task => Struct.omit(claimed, "fence")

const longestDueFirst = (tasks: ReadonlyArray<Task>): void => {
  const dues = tasks.map(({ dueAt }) => dueAt)
  assert.deepStrictEqual(dues, dues.toSorted((a, b) => a - b))
}

/** Ends a lease at once, without waiting for a clock. */
const overAtOnce = { kinds: taskKinds, now: max, limit: 1000, leaseMs: -1 }

/**
 * @category laws
 */
export const taskLaws = [
  law(
    "tasks/due",
    "tasks of all orgs are due from their moment on, by their kinds, the longest due first, up to a limit",
    (conditions) =>
      forAll(conditions, cases, (given) =>
        withTasks(given, (tasks, taskStore) =>
          Effect.gen(function*() {
            const { kinds, now } = given
            const expected = tasks.filter(({ dueAt, kind }) => dueAt <= now && kinds.includes(kind))
            const due = yield* taskStore.claim({ kinds, now, limit: 1000, leaseMs: hourMs })
            sameRows(due.map(asAdded), expected)
            longestDueFirst(due)
            yield* taskStore.release(due)
            const claims: Array<ClaimedTask> = []
            for (const limit of [1, 2, 5]) {
              const some = yield* taskStore.claim({ kinds, now, limit, leaseMs: hourMs })
              assert.strictEqual(some.length, Math.min(limit, due.length - claims.length))
              claims.push(...some)
            }
            // Who claims next gets what is due next.
            assert.deepStrictEqual(
              claims.map(({ dueAt }) => dueAt),
              due.slice(0, claims.length).map(({ dueAt }) => dueAt)
            )
            yield* taskStore.release(claims)
          })))
  ),

  law(
    "tasks/claimed-once",
    "of some who claim at once, each task is given to one",
    (conditions) =>
      forAll(
        conditions,
        FastCheck.tuple(cases, FastCheck.integer({ min: 1, max: 4 })),
        ([given, limit]) =>
          withTasks(given, (tasks, taskStore) =>
            Effect.gen(function*() {
              const claim = taskStore.claim({ kinds: taskKinds, now: max, limit, leaseMs: hourMs })
              // A claimer may be told of nothing while all that it saw is being given to others.
              const until = (left: number): Effect.Effect<ReadonlyArray<ClaimedTask>> =>
                Effect.flatMap(claim, (some) =>
                  left === 0 ? Effect.succeed(some) : Effect.map(until(left - 1), (more) => [...some, ...more]))
              const claims = yield* Effect.all([until(4), until(4), until(4), until(4)], { concurrency: "unbounded" })
              sameRows(claims.flat().map(asAdded), tasks)
              yield* taskStore.release(claims.flat())
            }))
      )
  ),

  aboutOneClaimed(
    "tasks/lease",
    "a task is nobody else's while a lease lasts, and anybody's when it has ended",
    (claimed, others, taskStore) =>
      Effect.gen(function*() {
        sameRows(yield* unclaimed, others)
        yield* taskStore.release([claimed])
        const ended = yield* taskStore.claim(overAtOnce)
        sameRows(ended.map(asAdded), [asAdded(claimed), ...others])
        const again = yield* taskStore.claim(overAtOnce)
        sameRows(again.map(asAdded), ended.map(asAdded))
        const fences = new Map(ended.map(({ fence, id }) => [id, fence]))
        assert.isTrue(again.every(({ fence, id }) => fence !== fences.get(id)), "two claims have one fence")
        // A lease that ended is good as long as nobody else has claimed.
        const [late] = again
        if (late === undefined) return
        yield* taskStore.done([late])
        sameRows(yield* unclaimed, again.slice(1).map(asAdded))
      })
  ),

  aboutOneClaimed(
    "tasks/done",
    "a task that is done is gone, the others stay, and doing it twice is nothing",
    (claimed, others, taskStore) =>
      Effect.gen(function*() {
        yield* taskStore.done([])
        sameRows(yield* unclaimed, others)
        yield* taskStore.done([claimed, claimed])
        yield* taskStore.done([claimed])
        sameRows(yield* unclaimed, others)
      })
  ),

  law(
    "tasks/done-together",
    "of tasks that are said to be done together, those go whose claims are good",
    (conditions) =>
      forAll(conditions, cases, (given) =>
        withTasks(given, (_, taskStore) =>
          Effect.gen(function*() {
            // Good as long as nobody else has claimed, and hidden from nobody.
            const claims = yield* taskStore.claim(overAtOnce)
            const back = claims.filter((_, at) => at % 3 === 1)
            yield* taskStore.release(back)
            const limit = Math.floor(claims.length / 3)
            const again = yield* taskStore.claim({ kinds: taskKinds, now: max, limit, leaseMs: hourMs })
            const kept = new Set([...back, ...again].map(({ id }) => id))
            yield* taskStore.done(claims)
            yield* taskStore.release(again)
            sameRows(yield* unclaimed, claims.filter(({ id }) => kept.has(id)).map(asAdded))
          })))
  ),

  aboutOneClaimed(
    "tasks/postpone",
    "a task that is postponed comes back at its new moment with what went wrong",
    (claimed, others, taskStore) =>
      Effect.gen(function*() {
        const later = {
          ...claimed,
          dueAt: instant(claimed.dueAt + hourMs),
          attempts: claimed.attempts + 1,
          lastError: "no answer"
        }
        yield* taskStore.postpone(later)
        const before = yield* taskStore.claim({
          kinds: taskKinds,
          now: instant(later.dueAt - 1),
          limit: 1000,
          leaseMs: hourMs
        })
        assert.notInclude(before.map(({ id }) => id), claimed.id)
        yield* taskStore.release(before)
        const all = yield* claimAll
        sameRows(all.map(asAdded), [asAdded(later), ...others])
        longestDueFirst(all)
        yield* taskStore.release(all)
      })
  ),

  aboutOneClaimed(
    "tasks/release",
    "a task that is released is as it was, for the next who claims",
    (claimed, others, taskStore) =>
      Effect.gen(function*() {
        yield* taskStore.release([claimed, claimed])
        sameRows(yield* unclaimed, [asAdded(claimed), ...others])
      })
  ),

  aboutOneClaimed(
    "tasks/gone",
    "a task that is done is not brought back, by postponing it or by releasing it",
    (claimed, others, taskStore) =>
      Effect.gen(function*() {
        yield* taskStore.done([claimed])
        yield* taskStore.postpone({ ...claimed, attempts: claimed.attempts + 1 })
        yield* taskStore.release([claimed])
        sameRows(yield* unclaimed, others)
      })
  ),

  aboutOneClaimed(
    "tasks/void",
    "a claim changes nothing once its task was put back or somebody claimed it again",
    (first, others, taskStore) =>
      Effect.gen(function*() {
        const changedBy = (claim: ClaimedTask) =>
          Effect.all([
            taskStore.done([claim]),
            taskStore.postpone({ ...claim, dueAt: instant(claim.dueAt + hourMs), lastError: "void" }),
            taskStore.release([claim])
          ])
        yield* taskStore.release([first])
        yield* changedBy(first)
        sameRows(yield* unclaimed, [asAdded(first), ...others])
        const again = yield* claimAll
        yield* changedBy(first)
        // The new claim still keeps others away, and is good.
        assert.deepStrictEqual(yield* claimAll, [])
        yield* taskStore.release(again)
        sameRows(yield* unclaimed, [asAdded(first), ...others])
      })
  )
]
