import type { ClaimedTask } from "@trailbook/core/task/Task"
import { TaskStore } from "@trailbook/core/task/TaskStore"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { claimRows } from "./claimRows.ts"
import { isFree, noLease } from "./Lease.ts"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, findRows, orgKey, type QueuedTask, requireRow, type Tables } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(TaskStore, (database) => {
  const { read, unitOfWork, write } = database
  const { claim, end, good, release } = claimRows<QueuedTask, ClaimedTask>(database, {
    claimedBy: ({ tasks }, { id, orgId }) => Table.get(tasks, orgKey(orgId, id)),
    claimOf,
    putAll
  })
  return {
    add: (tasks) =>
      write((tables) => {
        for (const { orgId } of tasks) requireRow(tables.orgs, orgId)
        return putAll(tables, tasks.map((task) => ({ ...task, ...noLease })))
      }),
    claim: ({ exceptOrgs, lane, now, ...asked }) =>
      claim(
        asked,
        ({ tasks }) => Table.range(tasks, "due", lane, { below: { at: now + 1, id: "" } }),
        ({ orgId }) => !exceptOrgs.includes(orgId)
      ),
    done: (claims) => write((tables) => ({ ...tables, tasks: Table.removeRows(tables.tasks, good(claims)(tables)) })),
    postpone: (task) =>
      write((tables) => putAll(tables, good([task])(tables).map((row) => ({ ...row, ...task, leaseUntil: null })))),
    giveUp: (task) => end(task, task),
    release,
    failing: ({ after, failures, limit, orgId }) =>
      read(({ tasks }) =>
        takeFirst(
          Table.range(tasks, "failed", everyOrg, after && { above: { at: 0, id: orgKey(after.orgId, after.id) } }),
          limit,
          (task) =>
            (orgId === undefined || task.orgId === orgId) &&
            (task.givenUpAt !== null || task.kind === "refund" || task.attempts >= failures)
        ).map((task) => Struct.omit(claimOf(task), "fence"))
      ),
    retry: (keys, now) =>
      unitOfWork.run(Effect.gen(function*() {
        const at = yield* currentTime
        const rows = yield* read(({ tasks }) =>
          findRows(tasks, keys).filter((row) => hasFailed(row) && isFree(row, at))
        )
        if (rows.length === 0) return []
        yield* write((tables) =>
          putAll(tables, rows.map((row) => ({ ...row, dueAt: now, attempts: 0, givenUpAt: null, leaseUntil: null })))
        )
        return rows.map(({ id, orgId }) => ({ orgId, id }))
      })),
    forget: (before, limit) =>
      unitOfWork.run(Effect.gen(function*() {
        const rows = yield* read(({ tasks }) =>
          takeFirst(
            Table.range(tasks, "failed", everyOrg),
            limit,
            ({ givenUpAt }) => givenUpAt !== null && givenUpAt < before
          )
        )
        yield* write((tables) => ({ ...tables, tasks: Table.removeRows(tables.tasks, rows) }))
        return rows.length
      }))
  }
})

const hasFailed = ({ attempts, givenUpAt }: QueuedTask): boolean => attempts > 0 || givenUpAt !== null

const putAll = (tables: Tables, tasks: ReadonlyArray<QueuedTask>): Tables => ({
  ...tables,
  tasks: tasks.reduce(Table.put, tables.tasks)
})

const claimOf = (task: QueuedTask): ClaimedTask => Struct.omit(task, "leaseUntil")
