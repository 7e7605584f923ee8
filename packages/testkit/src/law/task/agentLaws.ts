/** Tests how a storage adapter stores automations, their runs, and proposals, including claims and leases. */
import { decisionSources } from "@trailbook/core/actor"
import { type Automation, automationNames, autonomyLevels, type ClaimedAutomation } from "@trailbook/core/automation"
import {
  type ClaimedProposal,
  isAwaitingApproval,
  type Proposal,
  type ProposalStatus,
  proposalStatuses
} from "@trailbook/core/proposal"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Struct from "effect/Struct"
import { moment, momentOrNull, origin } from "../../generator/moment.ts"
import { metadata, text } from "../../generator/text.ts"
import { law, lawForAll, makeLawsWithStoredData, runConcurrently } from "../Law.ts"
import { incrementCreatedAt, makeLock, readByKeys, readList, readPages, toOrgKey } from "../row/Entity.ts"
import { makeRowLaws } from "../row/makeRowLaws.ts"
import { assertSameRows, sortNewestFirst, toCreationPosition } from "../rowAssertions.ts"
import { createEmptyOrg, newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { checkInvalidClaims, checkLease, claimDue, type Queue } from "./queueRules.ts"
import { hourMs } from "./tasks.ts"

/** A small set of subjects and days, so that some coincide. */
const subject = FastCheck.constantFrom("session:a", "session:b", "day")

const state = FastCheck.oneof(
  FastCheck.record({
    status: FastCheck.constant<ProposalStatus>("pending"),
    runAt: momentOrNull
  }),
  FastCheck.record({
    status: FastCheck.constantFrom(...proposalStatuses),
    runAt: FastCheck.constant(null)
  })
)

const decision = FastCheck.oneof(
  FastCheck.constant({ decidedAt: null, decidedBy: null }),
  FastCheck.record({ decidedAt: moment, decidedBy: FastCheck.constantFrom(...decisionSources) })
)

const action = FastCheck.record(
  {
    kind: FastCheck.constantFrom("message" as const, "create_session" as const),
    op: FastCheck.constantFrom("messages.send", "sessions.create"),
    input: metadata,
    facts: FastCheck.record({ why: FastCheck.constant("full" as const), reason: text(200) }),
    result: FastCheck.record({ ok: FastCheck.boolean(), data: metadata }, { requiredKeys: ["ok"] })
  },
  { requiredKeys: ["kind", "op", "input", "facts"] }
)

/** A proposal without an org. */
const proposal: FastCheck.Arbitrary<Proposal> = FastCheck.tuple(
  FastCheck.record({
    id: FastCheck.uuid(),
    orgId: FastCheck.constant(""),
    automation: FastCheck.constantFrom(...automationNames),
    subject,
    day: FastCheck.constantFrom(20_000, 20_001).map(LocalDate.make),
    dial: FastCheck.constantFrom(...autonomyLevels.filter((dial) => dial !== "off")),
    held: FastCheck.constantFrom(null, "cap" as const, "money" as const),
    title: text(200),
    sessionId: FastCheck.option(FastCheck.uuid()),
    bookingId: FastCheck.option(FastCheck.uuid()),
    data: metadata,
    actions: FastCheck.array(action, { maxLength: 3 }),
    expiresAt: moment,
    createdAt: moment,
    doneAt: momentOrNull,
    error: FastCheck.option(text(200))
  }),
  state,
  decision
).map(([row, state, decision]) => ({ ...row, ...state, ...decision }))

const automation: FastCheck.Arbitrary<Automation> = FastCheck.record({
  orgId: FastCheck.constant(""),
  automation: FastCheck.constantFrom(...automationNames),
  dial: FastCheck.constantFrom(...autonomyLevels),
  settings: metadata,
  updatedAt: momentOrNull,
  nextAt: momentOrNull
})

const someAutomations = FastCheck.uniqueArray(automation, { selector: ({ automation }) => automation })

const proposals = FastCheck.uniqueArray(proposal, { maxLength: 8, selector: ({ id }) => id })

const toSubjectKey = ({ automation, day, subject }: Proposal) => ({ automation, day, subject })

const isSameSubject = (a: Proposal, b: Proposal) =>
  a.automation === b.automation && a.day === b.day && a.subject === b.subject

const listProposals = (filter: Partial<Pick<Proposal, "automation" | "status">>) =>
  readPages<Proposal>(
    (query) => Store.proposals.list({ ...query, ...filter }),
    sortNewestFirst,
    toCreationPosition,
    ({ automation, status }) => (filter.automation ?? automation) === automation && (filter.status ?? status) === status
  )

/**
 * Stores the first proposal per automation, subject, and day in one org, and modified copies in another. No other work
 * is due.
 */
const storeProposals = (candidates: ReadonlyArray<Proposal>) =>
  Effect.gen(function*() {
    yield* clearDueWork
    const [{ id: orgId }, { id: twinId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
    const rows = candidates
      .filter((row, at) => candidates.findIndex((other) => isSameSubject(other, row)) === at)
      .map((row) => ({ ...row, orgId }))
    for (const row of rows) {
      assert.isTrue(yield* Store.proposals.add(row))
      // The other org's proposals must be neither pending nor running.
      assert.isTrue(yield* Store.proposals.add({ ...row, orgId: twinId, title: "twin", status: "done", runAt: null }))
    }
    return { orgId, rows }
  })

/** Claims all due work for all orgs, so that a case starts without any. */
export const clearDueWork = Effect.gen(function*() {
  for (const claim of yield* Store.automations.claim({ now: Instant.max, limit: 1000, leaseMs: hourMs })) {
    yield* Store.automations.scheduleNextRun(claim, null)
  }
  for (const claim of yield* Store.proposals.claim({ now: Instant.max, limit: 1000, leaseMs: hourMs })) {
    yield* Store.proposals.put({ ...Struct.omit(claim, "fence"), status: "done", runAt: null })
  }
  for (const key of yield* Store.proposals.overdue(Instant.max, 1000)) {
    for (const row of yield* Store.proposals.find([key])) yield* Store.proposals.put({ ...row, status: "expired" })
  }
})

const proposalLaw = makeLawsWithStoredData(storeProposals)

/** The queue of automations with these settings. */
const makeAutomationQueue = (automation: Automation): Queue<ClaimedAutomation> => ({
  add: (orgId) => Store.automations.put({ ...automation, orgId }),
  claim: (leaseMs) => Store.automations.claim({ now: automation.nextAt ?? origin, limit: 1000, leaseMs }),
  getOrgId: ({ orgId }) => orgId,
  release: (claim) => Store.automations.release([claim]),
  uses: { scheduleNextRun: (claim) => Store.automations.scheduleNextRun(claim, null) },
  invalidations: {
    changed: (claim) => Store.automations.put({ ...Struct.omit(claim, "fence"), settings: {} }),
    scheduled: (claim) => Store.automations.scheduleNextRun(claim, claim.nextAt)
  },
  read: Store.automations.list,
  describe: Struct.omit("fence", "orgId")
})

/** The queue of proposals with this content. */
const makeProposalQueue = (proposal: Proposal): Queue<ClaimedProposal> => ({
  add: (orgId) => Store.proposals.add({ ...proposal, id: newId(), orgId }),
  claim: (leaseMs) => Store.proposals.claim({ now: proposal.runAt ?? origin, limit: 1000, leaseMs }),
  getOrgId: ({ orgId }) => orgId,
  release: (claim) => Store.proposals.release([claim]),
  uses: { isClaimed: Store.proposals.isClaimed },
  read: (orgId) => Store.proposals.list({ orgId, limit: 10 }),
  describe: Struct.omit("fence", "id", "orgId")
})

export const agentLaws = [
  ...makeRowLaws<Automation>({
    key: "automations",
    name: "an automation",
    row: automation,
    identify: (row, orgId) => ({ ...row, orgId }),
    put: Effect.forEach(Store.automations.put),
    fixedFields: ({ automation }) => ({ automation }),
    reads: { list: readList(Store.automations.list), lock: readList(Store.automations.lock) },
    uniqueKeys: [{
      name: "automation",
      rejectedIn: "nowhere",
      isFixed: true,
      toFields: ({ automation }) => ({ automation })
    }]
  }),

  lawForAll(
    "automations/turns",
    "gives each due automation to only one worker, most overdue first, until the automation changes or the claim ends",
    FastCheck.tuple(someAutomations, moment),
    function*([automations, now]) {
      yield* clearDueWork
      const { id: orgId } = yield* createEmptyOrg
      const rows = automations.map((row) => ({ ...row, orgId }))
      for (const row of rows) yield* Store.automations.put(row)
      const due = rows.filter(({ nextAt }) => nextAt !== null && nextAt <= now)
      const claim = { now, limit: 100, leaseMs: hourMs }
      const claims = yield* claimDue(Store.automations.claim(claim), due, ({ nextAt }) => nextAt)
      assert.deepStrictEqual(yield* Store.automations.claim(claim), [], "an automation is claimed twice")
      yield* Store.automations.release(claims)
      const newClaims = yield* Store.automations.claim({ ...claim, limit: 1 })
      assert.strictEqual(newClaims.length, Math.min(1, due.length))
      const [newClaim] = newClaims
      if (newClaim === undefined) return
      const next = Instant.make(now + 1)
      assert.isTrue(yield* Store.automations.scheduleNextRun(newClaim, next))
      assertSameRows(yield* Store.automations.list(orgId), [
        ...rows.filter(({ automation }) => automation !== newClaim.automation),
        { ...Struct.omit(newClaim, "fence"), nextAt: next }
      ])
      const [nextClaim] = yield* Store.automations.claim({ ...claim, now: next })
      assert.isDefined(nextClaim, "the automation is not due at its next run time")
      const queue = makeAutomationQueue(Struct.omit(newClaim, "fence"))
      yield* checkInvalidClaims(queue)
      yield* checkLease(queue)
    }
  ),

  lawForAll(
    "proposals/one",
    "stores one proposal per automation, subject, and day, even if many are added concurrently",
    proposal,
    function*(row) {
      const { id: orgId } = yield* createEmptyOrg
      const duplicates = Array.from({ length: 6 }, () => ({ ...row, id: newId(), orgId }))
      const results = yield* Effect.forEach(duplicates, Store.proposals.add, { concurrency: "unbounded" })
      assert.strictEqual(results.filter((isAdded) => isAdded).length, 1)
      const query = { orgId, limit: 10 }
      assert.deepStrictEqual(yield* Store.proposals.list(query), duplicates.filter((_, at) => results[at]))
      const other = { ...row, id: newId(), orgId, subject: "session:other" }
      assert.isTrue(yield* Store.proposals.add(other))
      assert.isFalse(yield* Store.proposals.add({ ...other, id: newId(), title: "again" }))
      assertSameRows(yield* Store.proposals.find([other]), [other])
      yield* clearDueWork
    },
    (runs) => Math.min(runs, 10)
  ),

  ...makeRowLaws<Proposal>({
    key: "proposals",
    name: "a proposal",
    row: proposal,
    put: Effect.forEach((row) =>
      // `put` replaces only proposals that were added.
      Effect.flatMap(Store.proposals.add(row), (isAdded) => isAdded ? Effect.void : Store.proposals.put(row))
    ),
    fixedFields: toSubjectKey,
    reads: {
      find: readByKeys(Store.proposals.find, toOrgKey),
      list: listProposals({}),
      "list of one status": listProposals({ status: "pending" }),
      "list of one automation": listProposals({ automation: "fill" }),
      "list of one automation and status": listProposals({ automation: "brief", status: "done" })
    },
    locks: { lock: makeLock("locks/proposal", readByKeys(Store.proposals.lock, toOrgKey), incrementCreatedAt) },
    references: [],
    uniqueKeys: [{ name: "subject", rejectedIn: "nowhere", isFixed: true, toFields: toSubjectKey }]
  }),

  proposalLaw(
    "proposals/own",
    "counts the decisions that the agent made automatically after a given time",
    FastCheck.tuple(proposals, moment),
    function*({ orgId, rows }, after) {
      assert.strictEqual(
        yield* Store.proposals.countOwn(orgId, after),
        rows.filter(({ decidedAt, decidedBy }) => decidedBy === "agent" && (decidedAt ?? 0) > after).length
      )
    }
  ),

  lawForAll(
    "proposals/due",
    "gives each due proposal to only one caller, most overdue first, until the claim is released or its lease expires",
    FastCheck.tuple(proposals, moment),
    function*([candidates, now]) {
      const { rows } = yield* storeProposals(candidates)
      const due = rows.filter(({ runAt }) => runAt !== null && runAt <= now)
      const claim = { now, limit: 100, leaseMs: hourMs }
      const [first] = yield* claimDue(Store.proposals.claim(claim), due, ({ runAt }) => runAt)
      assert.deepStrictEqual(yield* Store.proposals.claim(claim), [], "a proposal is claimed twice")
      if (first === undefined) return
      const proposal = Struct.omit(first, "fence")
      yield* Store.proposals.put({ ...proposal, title: "changed" })
      assert.isTrue(yield* Store.proposals.isClaimed(first), "a change to the proposal ended the claim")
      yield* Store.proposals.release([first])
      const [nextClaim] = yield* Store.proposals.claim({ ...claim, limit: 1 })
      assert.strictEqual(nextClaim?.id, first.id, "a released proposal cannot be claimed again")
      const queue = makeProposalQueue(proposal)
      yield* checkInvalidClaims(queue)
      yield* checkLease(queue)
    }
  ),

  lawForAll(
    "proposals/overdue",
    "returns overdue proposals that await a decision, most overdue first, up to a limit",
    FastCheck.tuple(proposals, moment, FastCheck.integer({ min: 1, max: 3 })),
    function*([candidates, now, limit]) {
      const { rows } = yield* storeProposals(candidates)
      const overdue = rows.filter((row) => isAwaitingApproval(row) && row.expiresAt <= now)
      assertSameRows(yield* Store.proposals.overdue(now, 100), overdue.map(({ id, orgId }) => ({ orgId, id })))
      const result = yield* Store.proposals.overdue(now, limit)
      const moments = overdue.map(({ expiresAt }) => expiresAt).sort((a, b) => a - b)
      assert.deepStrictEqual(
        result.map(({ id }) => rows.find((row) => row.id === id)?.expiresAt),
        moments.slice(0, limit)
      )
    }
  ),

  law(
    "proposals/cap",
    "never exceeds the proposal limit if callers lock the automations first",
    function*() {
      const { id: orgId } = yield* createEmptyOrg
      yield* Store.automations.put({
        orgId,
        automation: "fill",
        dial: "do_tell",
        settings: {},
        updatedAt: null,
        nextAt: null
      })
      const cap = 20
      const addProposal = (at: number) =>
        Store.run(Effect.gen(function*() {
          yield* Store.automations.lock(orgId)
          if ((yield* Store.proposals.countOwn(orgId, Instant.min)) >= cap) return false
          return yield* Store.proposals.add({ ...makeDoneProposal(orgId), id: newId(), subject: `session:${at}` })
        }))
      const results = yield* runConcurrently(Array.from({ length: 60 }, (_, at) => addProposal(at)))
      assert.strictEqual(results.filter((isAdded) => isAdded).length, cap)
      assert.strictEqual(yield* Store.proposals.countOwn(orgId, Instant.min), cap)
    }
  )
]

/** Returns a proposal with status `done`. */
export const makeDoneProposal = (orgId: string): Proposal => ({
  id: newId(),
  orgId,
  automation: "fill",
  subject: "day",
  day: 20_000 as Proposal["day"],
  status: "done",
  dial: "do_tell",
  held: null,
  title: "",
  sessionId: null,
  bookingId: null,
  data: {},
  actions: [],
  expiresAt: origin,
  runAt: null,
  createdAt: origin,
  decidedAt: origin,
  decidedBy: "agent",
  doneAt: origin,
  error: null
})

/** Returns a proposal that needs approval. */
export const makePendingProposal = (orgId: string): Proposal => ({
  ...makeDoneProposal(orgId),
  status: "pending",
  dial: "ask",
  decidedAt: null,
  decidedBy: null,
  doneAt: null
})
