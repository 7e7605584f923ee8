import type { ClaimedTask } from "@trailbook/core/task/Task"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { firstOf } from "./firstOf.ts"
import { claimed, isClaimOf, isFree, unclaimed } from "./Lease.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, found, type QueuedTask, referred, type Tables, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<TaskStore, never, MemoryDatabase> = Layer.effect(
  TaskStore,
  Effect.map(MemoryDatabase, ({ read, unitOfWork, write }) =>
    TaskStore.of({
      add: (tasks) =>
        write((tables) => {
          for (const { orgId } of tasks) referred(tables.orgs, orgId)
          return putAll(tables, tasks.map((task) => ({ ...task, ...unclaimed })))
        }),
      claim: ({ exceptOrgs, lane, leaseMs, limit, now }) =>
        unitOfWork.run(Effect.gen(function*() {
          const at = yield* moment
          const due = yield* read(({ tasks }) =>
            firstOf(
              Table.range(tasks, "due", lane, { below: { at: now + 1, id: "" } }),
              limit,
              (task) => !exceptOrgs.includes(task.orgId) && isFree(task, at)
            )
          )
          const taken = due.map((task) => claimed(task, at, leaseMs))
          yield* write((tables) => putAll(tables, taken))
          return taken.map(claimOf)
        })),
      done: (tasks) =>
        write((tables) => ({
          ...tables,
          tasks: tasks.flatMap((task) => queued(tables, task)).reduce(removed, tables.tasks)
        })),
      postpone: (task) =>
        write((tables) => putAll(tables, queued(tables, task).map((row) => ({ ...row, ...task, leaseUntil: null })))),
      giveUp: (task) =>
        unitOfWork.run(Effect.gen(function*() {
          const rows = yield* read((tables) => queued(tables, task))
          yield* write((tables) => putAll(tables, rows.map((row) => ({ ...row, ...task, leaseUntil: null }))))
          return rows.length > 0
        })),
      release: (tasks) =>
        write((tables) =>
          putAll(
            tables,
            tasks.flatMap((task) => queued(tables, task)).map((row) => ({ ...row, leaseUntil: null }))
          )
        ),
      failing: ({ after, failures, limit, orgId }) =>
        read(({ tasks }) =>
          firstOf(
            Table.range(tasks, "failed", everyOrg, after && { above: { at: 0, id: within(after.orgId, after.id) } }),
            limit,
            (task) =>
              (orgId === undefined || task.orgId === orgId) && (task.givenUpAt !== null || task.attempts >= failures)
          ).map((task) => Struct.omit(claimOf(task), "fence"))
        ),
      retry: (keys, now) =>
        unitOfWork.run(Effect.gen(function*() {
          const at = yield* moment
          const rows = yield* read(({ tasks }) => found(tasks, keys).filter((row) => hasFailed(row) && isFree(row, at)))
          if (rows.length === 0) return []
          yield* write((tables) =>
            putAll(tables, rows.map((row) => ({ ...row, dueAt: now, attempts: 0, givenUpAt: null, leaseUntil: null })))
          )
          return rows.map(({ id, orgId }) => ({ orgId, id }))
        })),
      forget: (before, limit) =>
        unitOfWork.run(Effect.gen(function*() {
          const rows = yield* read(({ tasks }) =>
            firstOf(
              Table.range(tasks, "failed", everyOrg),
              limit,
              ({ givenUpAt }) => givenUpAt !== null && givenUpAt < before
            )
          )
          yield* write((tables) => ({ ...tables, tasks: rows.reduce(removed, tables.tasks) }))
          return rows.length
        }))
    }))
)

const hasFailed = ({ attempts, givenUpAt }: QueuedTask): boolean => attempts > 0 || givenUpAt !== null

const removed = (tasks: Tables["tasks"], { id, orgId }: QueuedTask): Tables["tasks"] =>
  Table.remove(tasks, within(orgId, id))

const putAll = (tables: Tables, tasks: ReadonlyArray<QueuedTask>): Tables => ({
  ...tables,
  tasks: tasks.reduce(Table.put, tables.tasks)
})

/** The row that is claimed, unless the claim is void. */
const queued = ({ tasks }: Tables, claim: ClaimedTask): ReadonlyArray<QueuedTask> => {
  const row = Table.get(tasks, within(claim.orgId, claim.id))
  return row !== undefined && isClaimOf(claim, row) ? [row] : []
}

const claimOf = (task: QueuedTask): ClaimedTask => Struct.omit(task, "leaseUntil")
