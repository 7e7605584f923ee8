import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type DecisionSource, decisionSources } from "../actor/Actor.ts"
import { type Action, actionKinds, type Suggestion } from "../automation/Action.ts"
import { type AutomationName, automationNames, type AutonomyLevel, autonomyLevels } from "../automation/Automation.ts"
import type { ApprovalReason } from "../automation/autonomyLimits.ts"
import type { LimitName } from "../forecast/evaluateLimits.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import type { Position } from "../wire/Cursor.ts"
import { withDescription } from "../wire/Field.ts"
import { makeViewMapper } from "../wire/snakeCase.ts"
import { Date as DateView, exampleIds, Id, Json, Metadata, optionalField, Timestamp } from "../wire/View.ts"

export const proposalStatuses = ["pending", "done", "failed", "dismissed", "expired", "undone"] as const

export type ProposalStatus = (typeof proposalStatuses)[number]

/**
 * A proposed or executed change by the ops agent. While the proposal is pending, `runAt` is the earliest time at which
 * it can run. If `runAt` is null, the pending proposal needs approval.
 */
export interface Proposal extends Suggestion {
  readonly id: string
  readonly orgId: string
  readonly status: ProposalStatus
  /** The dial when the proposal was created. */
  readonly dial: Exclude<AutonomyLevel, "off">
  /** Why the proposal needs approval even though the dial lets the agent act. */
  readonly held: ApprovalReason
  /** The earliest run time. Null while the proposal needs approval. */
  readonly runAt: Instant | null
  readonly createdAt: Instant
  readonly decidedAt: Instant | null
  readonly decidedBy: DecisionSource | null
  readonly doneAt: Instant | null
  readonly error: string | null
}

/** A proposal that a worker has claimed. Every claim gets a new `fence`. */
export interface ClaimedProposal extends Proposal {
  readonly fence: number
}

/** Returns whether the proposal needs approval. */
export const isAwaitingApproval = ({ runAt, status }: Proposal): boolean => status === "pending" && runAt === null

/** Returns whether the proposal is done and all of its actions can be undone. */
export const isReversible = ({ actions, status }: Proposal): boolean =>
  status === "done" && actions.length > 0 &&
  actions.every(({ result, reversible, undo }) => reversible === true && undo !== undefined && result?.ok === true)

/**
 * Stores proposals. A proposal references its org. A write that violates this rule fails as a defect. An org has at
 * most one proposal per automation, subject, and day.
 */
export class ProposalStore extends Context.Tag("@trailbook/core/ProposalStore")<
  ProposalStore,
  {
    /**
     * Stores a new proposal, unless one already exists for its automation, subject, and day. Returns whether the
     * proposal was stored.
     */
    readonly add: (proposal: Proposal) => Effect.Effect<boolean>
    /** Finds proposals by key. Returns each proposal once, in any order. Skips unknown keys. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Proposal>>
    /** Like `find`, but locks the proposals until the transaction ends, in ID order. */
    readonly lock: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Proposal>>
    /** Lists the proposals after a position, newest first, ordered by creation time and ID. */
    readonly list: (query: {
      readonly orgId: string
      readonly status?: ProposalStatus | undefined
      readonly automation?: AutomationName | undefined
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Proposal>>
    /** Replaces a proposal by key. Its claim does not change. */
    readonly put: (proposal: Proposal) => Effect.Effect<void>
    /** Returns how many of an org's proposals the agent decided on after the given time. */
    readonly countOwn: (orgId: string, after: Instant) => Effect.Effect<number>
    /**
     * Returns the keys of up to `limit` proposals across all orgs that need approval and had expired by `now`, earliest
     * expiry first.
     */
    readonly overdue: (now: Instant, limit: number) => Effect.Effect<ReadonlyArray<OrgKey>>
    /**
     * Claims up to `limit` runnable, unclaimed proposals across all orgs, most overdue first. A claim lasts until it is
     * released or its lease expires according to the database clock.
     */
    readonly claim: (options: {
      readonly now: Instant
      readonly limit: number
      readonly leaseMs: number
    }) => Effect.Effect<ReadonlyArray<ClaimedProposal>>
    /** Returns whether the claim is valid. It stays valid during a transaction that has locked the proposal. */
    readonly isClaimed: (claim: ClaimedProposal) => Effect.Effect<boolean>
    /** Releases claims. Void claims are ignored. */
    readonly release: (claims: ReadonlyArray<ClaimedProposal>) => Effect.Effect<void>
  }
>() {}

export const ActionView = Schema.Struct({
  kind: withDescription("the kind of action", Schema.Literal(...actionKinds), "create_session"),
  op: withDescription("the operation to run", Schema.String, "sessions.create"),
  input: withDescription("the operation's input", Metadata, {
    offering_id: exampleIds.offering,
    starts_at: "2027-05-02T15:00:00.000Z"
  }),
  facts: withDescription(
    "the context of the action, such as the session, reason, refund, or message text",
    Metadata,
    { why: "full", reason: "9 of 10 seats are booked on 2027-05-01." }
  ),
  money: optionalField("whether the action refunds money", Schema.Boolean),
  reversible: optionalField("whether the action can be undone", Schema.Boolean),
  result: optionalField(
    "the result",
    Schema.Struct({
      ok: withDescription("whether the action succeeded", Schema.Boolean),
      data: optionalField("the IDs of the created or changed records", Json),
      error: optionalField("the reason for a failure", Schema.String)
    })
  ),
  undo: optionalField(
    "the operation call that undoes the action",
    Schema.Struct({
      op: withDescription("the operation that undoes the action", Schema.String, "sessions.cancel"),
      input: withDescription("the operation's input", Metadata, { id: exampleIds.session })
    })
  )
}).annotations({ identifier: "ProposalAction" })

/** The API representation of a proposal. */
export const ProposalView = Schema.Struct({
  id: withDescription("its ID", Id, exampleIds.proposal),
  automation: withDescription("the automation that created the proposal", Schema.Literal(...automationNames), "fill"),
  status: withDescription(
    "the status. Approved proposals stay pending until they finish",
    Schema.Literal(...proposalStatuses),
    "pending"
  ),
  dial: withDescription(
    "the automation's dial. With ask, the proposal needs approval. With do_tell or do_quiet, it runs automatically",
    Schema.Literal(
      ...autonomyLevels.filter((dial) => dial !== "off")
    )
  ),
  title: withDescription(
    "the proposed change and its reason",
    Schema.String,
    "Open Half-day rafting on Sun, May 2, 2027"
  ),
  day: withDescription("the affected local date", DateView, "2027-05-02"),
  session_id: withDescription("the affected session", Schema.NullOr(Id)),
  booking_id: withDescription("the affected booking", Schema.NullOr(Id)),
  data: withDescription(
    "for a brief: the trips, unanswered conversations, and weather. held is the limit that requires approval, if any: " +
      "cap or money",
    Metadata,
    { booked: 9, seats: 10 }
  ),
  actions: withDescription("the actions, in order", Schema.Array(ActionView)),
  money: withDescription("whether an action refunds money", Schema.Boolean, false),
  reversible: withDescription("whether the proposal is done and can be undone", Schema.Boolean, false),
  unreached: optionalField(
    "the number of bookings whose guests did not get the email from a done or failed proposal. Call these guests. " +
      "Only proposals.list and proposals.approve return this field",
    Schema.Int
  ),
  expires_at: withDescription("the deadline for a decision", Schema.NullOr(Timestamp), "2027-05-02T15:00:00.000Z"),
  created_at: withDescription("when the proposal was created", Timestamp, "2027-05-01T15:00:00.000Z"),
  decided_at: withDescription("when the proposal was decided", Schema.NullOr(Timestamp)),
  done_at: withDescription("when the proposal finished or failed", Schema.NullOr(Timestamp)),
  decided_by: withDescription("how the proposal was decided", Schema.NullOr(Schema.Literal(...decisionSources))),
  error: withDescription("why the proposal failed", Schema.NullOr(Schema.String))
}).annotations({ identifier: "Proposal" })
export type ProposalView = typeof ProposalView.Type

export const proposalView = (
  { unreached, ...proposal }: Proposal & { readonly unreached?: number }
): ProposalView => ({
  ...view({
    ...proposal,
    day: LocalDate.format(proposal.day),
    data: proposal.held === null ? proposal.data : { ...proposal.data, held: proposal.held },
    actions: proposal.actions.map(actionView),
    money: proposal.actions.some(({ money }) => money === true),
    reversible: isReversible(proposal)
  }),
  ...(unreached === undefined ? {} : { unreached })
})

const view = makeViewMapper(ProposalView.omit("unreached"))

export const actionView = ({ facts, ...action }: Action): typeof ActionView.Type => ({ ...action, facts: { ...facts } })

interface UrgencyFields {
  readonly actions: ReadonlyArray<unknown>
  readonly data: Readonly<Record<string, unknown>>
  readonly expiresAt?: number
  /** The expiry as an API timestamp. */
  readonly expires_at?: string | null
}

/**
 * Orders pending proposals. Actions for a river that exceeds its limit come first, then other actions by deadline, then
 * proposals without an action.
 */
export const compareByUrgency = (a: UrgencyFields, b: UrgencyFields): number =>
  rankOf(a) - rankOf(b) || deadlineOf(a) - deadlineOf(b)

const deadlineOf = ({ expiresAt, expires_at }: UrgencyFields): number => expiresAt ?? Date.parse(expires_at ?? "")

const riverLimits: ReadonlyArray<LimitName> = ["min_flow_cfs", "max_flow_cfs", "min_gage_ft", "max_gage_ft"]

const rankOf = ({ actions, data: { broken } }: UrgencyFields): number => {
  const isRiver = Array.isArray(broken) && riverLimits.some((name) => broken.some(({ limit }) => limit === name))
  return isRiver ? 0 : actions.length > 0 ? 1 : 2
}

/** The length of a window. All pending proposals in a window share one email. */
export const proposalEmailWindowMs = 5 * 60_000

/** Returns the window that contains the given time. */
export const getProposalEmailWindow = (moment: number): number => Math.floor(moment / proposalEmailWindowMs)
