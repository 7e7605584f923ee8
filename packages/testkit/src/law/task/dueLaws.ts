/** Tests that polling reports pending work exactly when a claim from one of the stores would find work. */
import type { SubscriptionKey } from "@trailbook/core/event"
import type { Storage } from "@trailbook/core/storage"
import { type Lane, lanes, make as newTask } from "@trailbook/core/task/Task"
import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { origin } from "../../generator/moment.ts"
import { addEndpoint, claim as claimEndpoint, happen, removeAll } from "../event/endpoints.ts"
import { forAll } from "../forAll.ts"
import { law } from "../Law.ts"
import { newId, openOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { clearDueWork, makePendingProposal } from "./agentLaws.ts"
import { claimAll, hourMs } from "./tasks.ts"

/** The states of each kind of work: none, due, due later, claimed, or claimed with an expired lease. */
const states = ["none", "due", "later", "claimed", "left"] as const

type State = typeof states[number]

const waits = (state: State): boolean => state === "due" || state === "left"

const state = FastCheck.constantFrom(...states)

const world = FastCheck.record({
  mail: state,
  bulk: state,
  money: state,
  own: state,
  deliveries: state,
  proposals: state,
  subscriptions: state,
  turns: state
})

const now = origin
const later = Instant.make(now + 1)

/** Creates one kind of work, and claims it if its state requires that. */
const setDue = <R>(
  state: State,
  make: (dueAt: Instant.Instant) => Effect.Effect<void, never, R>,
  claim: (leaseMs: number) => Effect.Effect<unknown, never, R>
): Effect.Effect<void, never, R> =>
  Effect.gen(function*() {
    if (state === "none") return
    yield* make(state === "later" ? later : now)
    if (state === "claimed") yield* claim(hourMs)
    if (state === "left") yield* claim(-1)
  })

const task = (orgId: string, lane: Lane, state: State) =>
  setDue(
    state,
    (dueAt) => Store.tasks.add([newTask({ id: newId(), orgId, kind: "mail.held", lane, subjectId: newId(), dueAt })]),
    (leaseMs) => Store.tasks.claim({ lane, exceptOrgs: [], now, limit: 1, leaseMs })
  )

const setAutomation = (orgId: string, state: State) =>
  setDue(
    state,
    (nextAt) =>
      Store.automations.put({ orgId, automation: "fill", dial: "ask", settings: {}, updatedAt: null, nextAt }),
    (leaseMs) => Store.automations.claim({ now, limit: 1, leaseMs })
  )

const proposal = (orgId: string, state: State) =>
  setDue(
    state,
    (runAt) => Effect.asVoid(Store.proposals.add({ ...makePendingProposal(orgId), runAt })),
    (leaseMs) => Store.proposals.claim({ now, limit: 1, leaseMs })
  )

const delivery = (orgId: string, state: State) =>
  setDue<Storage>(
    state,
    (dueAt) =>
      Effect.gen(function*() {
        yield* addEndpoint({ orgId })
        // An adapter may report pending work until a claim finds no work.
        yield* claimEndpoint()
        yield* happen(orgId, dueAt > now ? 0 : 1)
      }),
    (leaseMs) => claimEndpoint({ leaseMs })
  )

const subscriber = (place: SubscriptionKey, state: State) =>
  setDue<Storage>(
    state,
    (dueAt) =>
      Effect.zipRight(Store.subscriptions.begin([{ ...place, from: "now" }]), happen(place.orgId, dueAt > now ? 0 : 1)),
    (leaseMs) => Store.subscriptions.claim(place, leaseMs)
  )

const noWork = { deliveries: false, lanes: [], proposals: false, subscriptions: false, turns: false }

const findDue = (...subscribers: ReadonlyArray<SubscriptionKey>) => Store.due.look({ now, subscribers })

export const dueLaws = [
  law(
    "due/look",
    "reports for each kind of work whether any can be claimed",
    (conditions) =>
      forAll(conditions, world, (states) =>
        Effect.gen(function*() {
          yield* removeAll
          yield* claimEndpoint()
          yield* clearDueWork
          yield* claimAll
          const [{ id: orgId }, { id: toldId }] = yield* Effect.all([openOrg, openOrg])
          const place = { orgId: toldId, name: "crm" }
          yield* Effect.forEach(lanes, (lane) => task(orgId, lane, states[lane]))
          yield* setAutomation(orgId, states.turns)
          yield* proposal(orgId, states.proposals)
          yield* delivery(orgId, states.deliveries)
          yield* subscriber(place, states.subscriptions)
          assert.deepStrictEqual(yield* states.subscriptions === "none" ? findDue() : findDue(place), {
            deliveries: waits(states.deliveries),
            lanes: lanes.filter((lane) => waits(states[lane])),
            proposals: waits(states.proposals),
            subscriptions: waits(states.subscriptions),
            turns: waits(states.turns)
          })
          assert.isTrue(
            (yield* findDue({ ...place, name: "new" })).subscriptions,
            "a missing position is not reported as due"
          )
        }))
  ),

  law(
    "due/taken",
    "does not report work that is already claimed or no longer needed",
    function*() {
      const { id: orgId } = yield* openOrg
      yield* Effect.forEach(lanes, (lane) => task(orgId, lane, "due"))
      yield* setAutomation(orgId, "due")
      yield* proposal(orgId, "due")
      yield* delivery(orgId, "due")
      assert.deepStrictEqual(yield* findDue(), {
        ...noWork,
        deliveries: true,
        lanes,
        proposals: true,
        turns: true
      })
      yield* claimAll
      yield* clearDueWork
      yield* claimEndpoint()
      assert.deepStrictEqual(yield* findDue(), noWork)
      yield* removeAll
      yield* happen(orgId, 1)
      yield* claimEndpoint()
      assert.deepStrictEqual(yield* findDue(), noWork)
      // A disabled endpoint has no pending work, even after new events.
      yield* addEndpoint({ orgId, active: false })
      yield* happen(orgId, 1)
      yield* claimEndpoint()
      assert.deepStrictEqual(yield* findDue(), noWork)
    }
  )
]
