import { AutomationStore, type ClaimedAutomation } from "@trailbook/core/automation"
import { type ResumableJobKey, ResumableJobStore } from "@trailbook/core/job"
import { type RequestKey, RequestKeys } from "@trailbook/core/port"
import { type ClaimedProposal, type Proposal, ProposalStore } from "@trailbook/core/proposal"
import { PendingWork } from "@trailbook/core/storage"
import { TaskStore } from "@trailbook/core/task"
import { type ClaimedTask, taskQueues } from "@trailbook/core/task/Task"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import { isSubscriptionDue } from "./eventStores.ts"
import { isLeaseFree, type Lease, makeClaimRows, noLease } from "./Lease.ts"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import {
  allOrgsGroup,
  findRows,
  putOrgRows,
  type QueuedAutomation,
  type QueuedProposal,
  type QueuedTask,
  requireRow,
  type Tables,
  toOrgKey,
  toProposalKey,
  toRequestKey,
  toResumableJobKey
} from "./Tables.ts"
import { hasPendingDelivery } from "./webhookStores.ts"

const taskStore = storeLayer(TaskStore, (database) => {
  const { read, unitOfWork, update, write } = database
  const { claim, end, good, release } = makeClaimRows<QueuedTask, ClaimedTask>(database, {
    claimedBy: ({ tasks }, { id, orgId }) => Table.get(tasks, toOrgKey(orgId, id)),
    claimOf: toClaim,
    putAll: putTasks
  })
  return {
    add: (tasks) =>
      write((tables) => {
        for (const { orgId } of tasks) requireRow(tables.orgs, orgId)
        return putTasks(tables, tasks.map((task) => ({ ...task, ...noLease })))
      }),
    claim: ({ exceptOrgs, queue, now, ...claimQuery }) =>
      claim(
        claimQuery,
        ({ tasks }) => Table.range(tasks, "due", queue, { below: { at: now + 1, id: "" } }),
        ({ orgId }) => !exceptOrgs.includes(orgId)
      ),
    done: (claims) => update("tasks", (tasks, tables) => Table.removeRows(tasks, good(claims)(tables))),
    postpone: (task) => Effect.asVoid(end(task, task)),
    giveUp: (task) => end(task, task),
    release,
    failing: ({ after, failures, limit, orgId }) =>
      read(({ tasks }) =>
        Table.takeFirst(
          Table.range(
            tasks,
            "failed",
            allOrgsGroup,
            after && { above: { at: 0, id: toOrgKey(after.orgId, after.id) } }
          ),
          limit,
          (task) =>
            (orgId === undefined || task.orgId === orgId) &&
            (task.givenUpAt !== null || task.kind === "refund" || task.attempts >= failures)
        ).map((task) => Struct.omit(toClaim(task), "fence"))
      ),
    retry: (keys, now) =>
      unitOfWork.run(Effect.gen(function*() {
        const at = yield* currentTime
        const rows = yield* read(({ tasks }) =>
          findRows(tasks, keys).filter((row) => hasFailed(row) && isLeaseFree(row, at))
        )
        if (rows.length === 0) return []
        yield* write((tables) =>
          putTasks(tables, rows.map((row) => ({ ...row, dueAt: now, attempts: 0, givenUpAt: null, leaseUntil: null })))
        )
        return rows.map(({ id, orgId }) => ({ orgId, id }))
      })),
    forget: (before, limit) =>
      unitOfWork.run(Effect.gen(function*() {
        const rows = yield* read(({ tasks }) =>
          Table.takeFirst(
            Table.range(tasks, "failed", allOrgsGroup),
            limit,
            ({ givenUpAt }) => givenUpAt !== null && givenUpAt < before
          )
        )
        yield* update("tasks", (tasks) => Table.removeRows(tasks, rows))
        return rows.length
      }))
  }
})

const hasFailed = ({ attempts, givenUpAt }: QueuedTask): boolean => attempts > 0 || givenUpAt !== null

const putTasks = (tables: Tables, tasks: ReadonlyArray<QueuedTask>): Tables => ({
  ...tables,
  tasks: tasks.reduce(Table.put, tables.tasks)
})

const toClaim = (task: QueuedTask): ClaimedTask => Struct.omit(task, "leaseUntil")

const requestKeys = storeLayer(RequestKeys, ({ read, update }) => ({
  find: (key) => read((tables) => Option.fromNullable(findRequest(tables, key))),
  bind: (request) =>
    update("requests", (requests, tables) => {
      requireRow(tables.orgs, request.orgId)
      if (findRequest(tables, request) !== undefined) {
        throw new Table.ConstraintViolation(`The key ${request.key} is bound.`)
      }
      return Table.put(requests, request)
    })
}))

const findRequest = ({ requests }: Tables, key: RequestKey) => Table.get(requests, toRequestKey(key))

const resumableJobStore = storeLayer(ResumableJobStore, ({ read, update }) => {
  const find = (key: ResumableJobKey) => read(({ unfinished }) => Table.find(unfinished, toResumableJobKey(key)))
  return {
    find,
    // No lock is needed, because transactions run one at a time.
    lock: find,
    put: (row) => update("unfinished", (unfinished, tables) => putOrgRows(tables, unfinished, [row])),
    remove: (key) => update("unfinished", (unfinished) => Table.remove(unfinished, toResumableJobKey(key))),
    untouchedSince: (moment, limit) =>
      read(({ unfinished }) =>
        Table.takeFirst(Table.range(unfinished, "touched", allOrgsGroup, { below: { at: moment + 1, id: "" } }), limit)
      )
  }
})

const automationStore = storeLayer(AutomationStore, (database) => {
  const { read, write } = database
  const { claim, end, release } = makeClaimRows<QueuedAutomation, ClaimedAutomation>(database, {
    claimedBy: ({ automations }, key) => Table.get(automations, automationKey(key)),
    claimOf: Struct.omit("leaseUntil"),
    putAll: putAutomations
  })
  const list = (orgId: string) =>
    read(({ automations }) =>
      [...Table.range(automations, "ofOrg", orgId)].map((row) => Struct.omit(row, "fence", "leaseUntil"))
    )
  return {
    list,
    // No lock is needed, because transactions run one at a time.
    lock: list,
    put: (automation) =>
      write((tables) => {
        requireRow(tables.orgs, automation.orgId)
        const fence = Table.get(tables.automations, automationKey(automation))?.fence ?? 0
        return putAutomations(tables, [{ ...automation, fence, leaseUntil: null }])
      }),
    claim: (claimQuery) =>
      claim(
        claimQuery,
        ({ automations }) =>
          Table.range(automations, "due", allOrgsGroup, { below: { at: claimQuery.now + 1, id: "" } })
      ),
    scheduleNextRun: (claim, nextAt) => end(claim, { nextAt }),
    release
  }
})

const automationKey = ({ automation, orgId }: { readonly orgId: string; readonly automation: string }) =>
  toOrgKey(orgId, automation)

const putAutomations = (tables: Tables, rows: ReadonlyArray<QueuedAutomation>): Tables => ({
  ...tables,
  automations: rows.reduce(Table.put, tables.automations)
})

const proposalStore = storeLayer(ProposalStore, (database) => {
  const { read, unitOfWork, write } = database
  const { claim, good, release } = makeClaimRows<QueuedProposal, ClaimedProposal>(database, {
    claimedBy: ({ proposals }, { id, orgId }) => Table.get(proposals, toOrgKey(orgId, id)),
    claimOf: Struct.omit("leaseUntil"),
    putAll: putProposals
  })
  const find: ProposalStore["Type"]["find"] = (keys) =>
    read(({ proposals }) => findRows(proposals, keys).map(toProposal))
  return {
    add: (proposal) =>
      unitOfWork.run(Effect.gen(function*() {
        const isDuplicate = yield* read(({ proposals }) =>
          Table.getBy(proposals, "subject", toProposalKey(proposal)) !== undefined
        )
        if (isDuplicate) return false
        yield* write((tables) => {
          requireRow(tables.orgs, proposal.orgId)
          return putProposals(tables, [{ ...proposal, ...noLease }])
        })
        return true
      })),
    find,
    // No lock is needed, because transactions run one at a time.
    lock: find,
    list: ({ after, automation, limit, orgId, status }) =>
      read(({ proposals }) =>
        Table.takeFirst(
          Table.range(
            proposals,
            status === undefined ? "created" : "state",
            status === undefined ? orgId : toOrgKey(orgId, status),
            { order: "desc", below: after }
          ),
          limit,
          (row) => automation === undefined || row.automation === automation
        ).map(toProposal)
      ),
    put: (proposal) =>
      write((tables) => {
        requireRow(tables.orgs, proposal.orgId)
        const { fence, leaseUntil } = Table.get(tables.proposals, toOrgKey(proposal.orgId, proposal.id)) ?? noLease
        return putProposals(tables, [{ ...proposal, fence, leaseUntil }])
      }),
    countOwn: (orgId, after) =>
      read(({ proposals }) => [...Table.range(proposals, "own", orgId, { above: { at: after, id: "~" } })].length),
    overdue: (now, limit) =>
      read(({ proposals }) =>
        Table.takeFirst(Table.range(proposals, "waiting", allOrgsGroup, { below: { at: now + 1, id: "" } }), limit).map(
          (
            { id, orgId }
          ) => ({ orgId, id })
        )
      ),
    claim: (claimQuery) =>
      claim(
        claimQuery,
        ({ proposals }) => Table.range(proposals, "due", allOrgsGroup, { below: { at: claimQuery.now + 1, id: "" } })
      ),
    isClaimed: (claim) => Effect.map(read(good([claim])), (rows) => rows.length > 0),
    release
  }
})

const toProposal = (row: QueuedProposal): Proposal => Struct.omit(row, "fence", "leaseUntil")

const putProposals = (tables: Tables, rows: ReadonlyArray<QueuedProposal>): Tables => ({
  ...tables,
  proposals: rows.reduce(Table.put, tables.proposals)
})

const pendingWork = storeLayer(PendingWork, ({ read }) => ({
  getSummary: ({ now, subscribers }) =>
    Effect.flatMap(currentTime, (at) => {
      const hasFreeRow = <Row extends Lease>(rows: Iterable<Row>, isWanted: (row: Row) => boolean = () => true) =>
        Table.takeFirst(rows, 1, (row) => isLeaseFree(row, at) && isWanted(row)).length > 0
      const bounds = { below: { at: now + 1, id: "" } }
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
