/**
 * Tests unfinished jobs, and that polling reports pending work exactly when a claim from one of the stores would find
 * work.
 */
import type { SubscriptionKey } from "@trailbook/core/event"
import { jobSubjects, type ResumableJob } from "@trailbook/core/job"
import type { Storage } from "@trailbook/core/storage"
import { make as newTask, type TaskQueue, taskQueues } from "@trailbook/core/task/Task"
import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { moment, origin } from "../../generator/moment.ts"
import { addEndpoint, appendNewEvents, claim as claimEndpoint, removeAllEndpoints } from "../event/endpoints.ts"
import { forAll } from "../forAll.ts"
import { law, lawForAll, type LawSteps, toEffect } from "../Law.ts"
import { assertFinds, assertFindsNothing } from "../rowAssertions.ts"
import { createEmptyOrg, newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { clearDueWork, makePendingProposal } from "./agentLaws.ts"
import { claimAllTasks, hourMs } from "./tasks.ts"

/** The range of IDs is small, so that rows differ only by org or by subject. */
const row: FastCheck.Arbitrary<Omit<ResumableJob, "orgId">> = FastCheck.record({
  subject: FastCheck.constantFrom(...jobSubjects),
  id: FastCheck.constantFrom("a", "b"),
  begunAt: moment,
  touchedAt: moment,
  cancelled: FastCheck.nat({ max: 50_000 }),
  refunded: FastCheck.nat({ max: 50_000 })
})

const toName = ({ id, orgId, subject }: ResumableJob): string => `${orgId} ${subject} ${id}`

const orgRows = FastCheck.uniqueArray(row, { maxLength: 6, selector: ({ id, subject }) => `${subject} ${id}` })

const rows = FastCheck.tuple(orgRows, orgRows)

/** Stores rows in two orgs and removes them after the case, because other laws read all orgs. */
const storeJobs = (
  [one, other]: readonly [ReadonlyArray<Omit<ResumableJob, "orgId">>, ReadonlyArray<Omit<ResumableJob, "orgId">>],
  work: (rows: ReadonlyArray<ResumableJob>) => LawSteps
) =>
  Effect.gen(function*() {
    const [{ id }, { id: otherId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
    const jobs = [...one.map((row) => ({ ...row, orgId: id })), ...other.map((row) => ({ ...row, orgId: otherId }))]
    yield* Effect.forEach(jobs, Store.resumableJobs.put)
    yield* Effect.ensuring(toEffect(work(jobs)), Effect.forEach(jobs, Store.resumableJobs.remove))
  })

export const resumableJobLaws = [
  lawForAll(
    "unfinished/put",
    "returns unfinished work as it was last stored, with or without a lock, until it is removed",
    FastCheck.tuple(rows, row),
    ([jobs, replacement]) =>
      storeJobs(jobs, function*(storedJobs) {
        const [first] = storedJobs
        if (first === undefined) return
        const replacedJob = { ...replacement, orgId: first.orgId, subject: first.subject, id: first.id }
        yield* Store.resumableJobs.put(replacedJob)
        for (const row of [replacedJob, ...storedJobs.slice(1)]) {
          yield* assertFinds(Store.resumableJobs.find(row), row)
          yield* assertFinds(Store.run(Store.resumableJobs.lock(row)), row)
        }
        yield* Store.resumableJobs.remove(first)
        yield* assertFindsNothing(Store.resumableJobs.find(first))
        yield* assertFindsNothing(Store.run(Store.resumableJobs.lock(first)))
        for (const row of storedJobs.slice(1)) {
          yield* assertFinds(Store.resumableJobs.find(row), row)
        }
      })
  ),

  lawForAll(
    "unfinished/untouched",
    "returns all orgs' unfinished work that has not been touched since a given time, oldest first, up to a limit",
    FastCheck.tuple(rows, moment, FastCheck.integer({ min: 1, max: 5 }), FastCheck.boolean()),
    ([jobs, time, limit, matchesFirst]) =>
      storeJobs(jobs, function*(storedJobs) {
        // The time limit is inclusive.
        const until = matchesFirst ? storedJobs[0]?.touchedAt ?? time : time
        const untouched = storedJobs.filter(({ touchedAt }) => touchedAt <= until)
        const matches = yield* Store.resumableJobs.untouchedSince(until, limit)
        const ages = untouched.map(({ touchedAt }) => touchedAt).sort((a, b) => a - b).slice(0, limit)
        assert.deepStrictEqual(matches.map(({ touchedAt }) => touchedAt), ages)
        assert.strictEqual(new Set(matches.map(toName)).size, matches.length)
        for (const row of matches) assert.deepInclude(untouched, row)
      })
  )
]

/** The states of each kind of work: none, due, due later, claimed, or claimed with an expired lease. */
const states = ["none", "due", "later", "claimed", "left"] as const

type State = typeof states[number]

const isClaimable = (state: State): boolean => state === "due" || state === "left"

const state = FastCheck.constantFrom(...states)

const workStates = FastCheck.record({
  mail: state,
  bulk: state,
  money: state,
  own: state,
  deliveries: state,
  proposals: state,
  subscriptions: state,
  automations: state
})

const now = origin
const laterMoment = Instant.make(now + 1)

/** Creates one kind of work, and claims it if its state requires that. */
const createWork = <R>(
  state: State,
  make: (dueAt: Instant.Instant) => Effect.Effect<void, never, R>,
  claim: (leaseMs: number) => Effect.Effect<unknown, never, R>
): Effect.Effect<void, never, R> =>
  Effect.gen(function*() {
    if (state === "none") return
    yield* make(state === "later" ? laterMoment : now)
    if (state === "claimed") yield* claim(hourMs)
    if (state === "left") yield* claim(-1)
  })

const createTask = (orgId: string, queue: TaskQueue, state: State) =>
  createWork(
    state,
    (dueAt) => Store.tasks.add([newTask({ id: newId(), orgId, kind: "mail.held", queue, subjectId: newId(), dueAt })]),
    (leaseMs) => Store.tasks.claim({ queue, exceptOrgs: [], now, limit: 1, leaseMs })
  )

const createAutomation = (orgId: string, state: State) =>
  createWork(
    state,
    (nextAt) =>
      Store.automations.put({ orgId, automation: "fill", dial: "ask", settings: {}, updatedAt: null, nextAt }),
    (leaseMs) => Store.automations.claim({ now, limit: 1, leaseMs })
  )

const createProposal = (orgId: string, state: State) =>
  createWork(
    state,
    (runAt) => Effect.asVoid(Store.proposals.add({ ...makePendingProposal(orgId), runAt })),
    (leaseMs) => Store.proposals.claim({ now, limit: 1, leaseMs })
  )

const createDelivery = (orgId: string, state: State) =>
  createWork<Storage>(
    state,
    (dueAt) =>
      Effect.gen(function*() {
        yield* addEndpoint({ orgId })
        // An adapter may keep reporting pending work until a claim finds none.
        yield* claimEndpoint()
        yield* appendNewEvents(orgId, dueAt > now ? 0 : 1)
      }),
    (leaseMs) => claimEndpoint({ leaseMs })
  )

const createSubscription = (key: SubscriptionKey, state: State) =>
  createWork<Storage>(
    state,
    (dueAt) =>
      Effect.zipRight(
        Store.subscriptions.begin([{ ...key, from: "now" }]),
        appendNewEvents(key.orgId, dueAt > now ? 0 : 1)
      ),
    (leaseMs) => Store.subscriptions.claim(key, leaseMs)
  )

const noWork = { deliveries: false, taskQueues: [], proposals: false, subscriptions: false, automations: false }

const findDue = (...subscribers: ReadonlyArray<SubscriptionKey>) => Store.pendingWork.getSummary({ now, subscribers })

export const pendingWorkLaws = [
  law(
    "due/look",
    "reports for each kind of work whether any can be claimed",
    (conditions) =>
      forAll(conditions, workStates, (states) =>
        Effect.gen(function*() {
          yield* removeAllEndpoints
          yield* claimEndpoint()
          yield* clearDueWork
          yield* claimAllTasks
          const [{ id: orgId }, { id: subscriberOrgId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
          const key = { orgId: subscriberOrgId, name: "crm" }
          yield* Effect.forEach(taskQueues, (queue) => createTask(orgId, queue, states[queue]))
          yield* createAutomation(orgId, states.automations)
          yield* createProposal(orgId, states.proposals)
          yield* createDelivery(orgId, states.deliveries)
          yield* createSubscription(key, states.subscriptions)
          assert.deepStrictEqual(yield* states.subscriptions === "none" ? findDue() : findDue(key), {
            deliveries: isClaimable(states.deliveries),
            taskQueues: taskQueues.filter((queue) => isClaimable(states[queue])),
            proposals: isClaimable(states.proposals),
            subscriptions: isClaimable(states.subscriptions),
            automations: isClaimable(states.automations)
          })
          assert.isTrue(
            (yield* findDue({ ...key, name: "new" })).subscriptions,
            "a missing position is not reported as due"
          )
        }))
  ),

  law(
    "due/taken",
    "does not report work that is already claimed or no longer needed",
    function*() {
      const { id: orgId } = yield* createEmptyOrg
      yield* Effect.forEach(taskQueues, (queue) => createTask(orgId, queue, "due"))
      yield* createAutomation(orgId, "due")
      yield* createProposal(orgId, "due")
      yield* createDelivery(orgId, "due")
      assert.deepStrictEqual(yield* findDue(), {
        ...noWork,
        deliveries: true,
        taskQueues,
        proposals: true,
        automations: true
      })
      yield* claimAllTasks
      yield* clearDueWork
      yield* claimEndpoint()
      assert.deepStrictEqual(yield* findDue(), noWork)
      yield* removeAllEndpoints
      yield* appendNewEvents(orgId, 1)
      yield* claimEndpoint()
      assert.deepStrictEqual(yield* findDue(), noWork)
      // A disabled endpoint has no pending work, even after new events.
      yield* addEndpoint({ orgId, active: false })
      yield* appendNewEvents(orgId, 1)
      yield* claimEndpoint()
      assert.deepStrictEqual(yield* findDue(), noWork)
    }
  )
]
