import { AutomationStore } from "@trailbook/core/automation"
import { ResumableJobStore } from "@trailbook/core/job"
import { RequestKeys } from "@trailbook/core/port"
import { type Proposal, ProposalStore } from "@trailbook/core/proposal"
import { PendingWork } from "@trailbook/core/storage"
import { TaskStore } from "@trailbook/core/task"
import { taskQueues } from "@trailbook/core/task/Task"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { isSubscriptionDue } from "./eventStores.ts"
import { isLeaseFree, type Lease, makeClaimRows, noLease } from "./Lease.ts"
import { storeLayer, tableLayer } from "./Rows.ts"
import * as Table from "./Table.ts"
import {
  allOrgsGroup,
  findRows,
  putRow,
  type QueuedProposal,
  type QueuedTask,
  toKey,
  toOrgKey,
  toProposalKey,
  toRequestKey,
  toResumableJobKey
} from "./Tables.ts"
import { hasPendingDelivery } from "./webhookStores.ts"

const taskStore = tableLayer(TaskStore, "tasks", (tasks) => {
  const { claim, end, findValid, release } = makeClaimRows(tasks)
  return {
    add: (newTasks) => tasks.put(newTasks.map((task) => ({ ...task, ...noLease }))),
    claim: ({ exceptOrgs, leaseMs, limit, now, queue }) =>
      claim("due", queue, {
        below: Table.toPosition(now + 1),
        leaseMs,
        limit,
        where: ({ orgId }) => !exceptOrgs.includes(orgId)
      }),
    done: (claims) => tasks.update((table) => Table.removeRows(table, findValid(table, claims))),
    postpone: (task) => Effect.asVoid(end(task, task)),
    giveUp: (task) => end(task, task),
    release,
    failing: ({ after, failures, limit, orgId }) =>
      Effect.map(
        tasks.list("failed", allOrgsGroup, {
          above: after && { at: 0, id: toKey(after) },
          limit,
          where: (task) =>
            (orgId === undefined || task.orgId === orgId) &&
            (task.givenUpAt !== null || task.kind === "refund" || task.attempts >= failures)
        }),
        (rows) => rows.map(Struct.omit("fence", "leaseUntil"))
      ),
    retry: (keys, dueAt) =>
      Effect.map(
        tasks.changeAll(
          (tables, now) => findRows(tables.tasks, keys).filter((row) => hasFailed(row) && isLeaseFree(row, now)),
          (row) => ({ ...row, dueAt, attempts: 0, givenUpAt: null, leaseUntil: null })
        ),
        (rows) => rows.map(({ id, orgId }) => ({ orgId, id }))
      ),
    forget: (before, limit) =>
      Effect.map(
        tasks.take((tables) =>
          Table.list(tables.tasks, "failed", allOrgsGroup, {
            limit,
            where: ({ givenUpAt }) => givenUpAt !== null && givenUpAt < before
          })
        ),
        ({ length }) => length
      )
  }
})

const hasFailed = ({ attempts, givenUpAt }: QueuedTask): boolean => attempts > 0 || givenUpAt !== null

const requestKeys = tableLayer(RequestKeys, "requests", (requests) => ({
  find: (key) => requests.find(toRequestKey(key)),
  bind: requests.add
}))

const resumableJobStore = tableLayer(ResumableJobStore, "unfinished", (jobs) => ({
  find: (key) => jobs.find(toResumableJobKey(key)),
  // No lock is needed, because transactions run one at a time.
  lock: (key) => jobs.find(toResumableJobKey(key)),
  put: jobs.putOne,
  remove: (key) => jobs.remove(toResumableJobKey(key)),
  untouchedSince: (moment, limit) => jobs.list("touched", allOrgsGroup, { below: Table.toPosition(moment + 1), limit })
}))

const automationStore = tableLayer(AutomationStore, "automations", (automations) => {
  const { claim, end, release } = makeClaimRows(automations)
  const list = (orgId: string) =>
    Effect.map(automations.list("ofOrg", orgId), (rows) => rows.map(Struct.omit("fence", "leaseUntil")))
  return {
    list,
    // No lock is needed, because transactions run one at a time.
    lock: list,
    put: (automation) =>
      automations.update((table, tables) => {
        const { fence } = Table.get(table, toOrgKey(automation.orgId, automation.automation)) ?? noLease
        return putRow(tables, table, { ...automation, fence, leaseUntil: null })
      }),
    claim: ({ leaseMs, limit, now }) =>
      claim("due", allOrgsGroup, { below: Table.toPosition(now + 1), leaseMs, limit }),
    scheduleNextRun: (claim, nextAt) => end(claim, { nextAt }),
    release
  }
})

const proposalStore = tableLayer(ProposalStore, "proposals", (proposals, { read, unitOfWork }) => {
  const { claim, findValid, release } = makeClaimRows(proposals)
  const find: ProposalStore["Type"]["find"] = (keys) =>
    Effect.map(proposals.findAll(keys), (rows) => rows.map(toProposal))
  return {
    add: (proposal) =>
      unitOfWork.run(Effect.gen(function*() {
        const existing = yield* proposals.findBy("subject", toProposalKey(proposal))
        if (existing._tag === "Some") return false
        yield* proposals.putOne({ ...proposal, ...noLease })
        return true
      })),
    find,
    // No lock is needed, because transactions run one at a time.
    lock: find,
    list: ({ after, automation, limit, orgId, status }) =>
      Effect.map(
        proposals.list(
          status === undefined ? "created" : "state",
          status === undefined ? orgId : toOrgKey(orgId, status),
          {
            order: "desc",
            below: after,
            limit,
            where: (row) => automation === undefined || row.automation === automation
          }
        ),
        (rows) => rows.map(toProposal)
      ),
    put: (proposal) =>
      proposals.update((table, tables) => {
        const { fence, leaseUntil } = Table.get(table, toKey(proposal)) ?? noLease
        return putRow(tables, table, { ...proposal, fence, leaseUntil })
      }),
    countOwn: (orgId, after) =>
      Effect.map(proposals.list("own", orgId, { above: { at: after, id: "~" } }), ({ length }) => length),
    overdue: (now, limit) =>
      Effect.map(
        proposals.list("waiting", allOrgsGroup, { below: Table.toPosition(now + 1), limit }),
        (rows) => rows.map(({ id, orgId }) => ({ orgId, id }))
      ),
    claim: ({ leaseMs, limit, now }) =>
      claim("due", allOrgsGroup, { below: Table.toPosition(now + 1), leaseMs, limit }),
    isClaimed: (claim) => read((tables) => findValid(tables.proposals, [claim]).length > 0),
    release
  }
})

const toProposal = (row: QueuedProposal): Proposal => Struct.omit(row, "fence", "leaseUntil")

const pendingWork = storeLayer(PendingWork, ({ read }) => ({
  getSummary: ({ now, subscribers }) =>
    Effect.flatMap(currentTime, (at) => {
      const hasFreeRow = <Row extends Lease>(rows: Iterable<Row>, isWanted: (row: Row) => boolean = () => true) =>
        Table.takeFirst(rows, 1, (row) => isLeaseFree(row, at) && isWanted(row)).length > 0
      const bounds = { below: Table.toPosition(now + 1) }
      return read((tables) => ({
        deliveries: hasFreeRow(
          Table.range(tables.endpoints, "id", allOrgsGroup),
          (endpoint) => hasPendingDelivery(tables, endpoint, at)
        ),
        taskQueues: taskQueues.filter((queue) => hasFreeRow(Table.range(tables.tasks, "due", queue, bounds))),
        proposals: hasFreeRow(Table.range(tables.proposals, "due", allOrgsGroup, bounds)),
        subscriptions: subscribers.some((subscriber) => isSubscriptionDue(tables, subscriber, at)),
        automations: hasFreeRow(Table.range(tables.automations, "due", allOrgsGroup, bounds))
      }))
    })
}))

export const layer = Layer.mergeAll(
  taskStore,
  requestKeys,
  resumableJobStore,
  automationStore,
  proposalStore,
  pendingWork
)
