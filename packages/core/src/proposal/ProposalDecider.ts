/**
 * A proposal's transitions.
 *
 * | state | command | condition | next |
 * |---|---|---|---|
 * | needs approval | approve | not expired, and some actions still apply | runs these actions now |
 * | needs approval | approve | otherwise | expired |
 * | needs approval | dismiss | | dismissed |
 * | needs approval | expire | past its expiry | expired |
 * | scheduled | dismiss | no action was executed | dismissed |
 * | scheduled | begin | some actions still apply | runs these actions |
 * | scheduled | begin | no action applies | expired |
 * | scheduled by the agent | begin | refunds exceed the agent's current limit | needs approval, held for `money` |
 * | scheduled by the agent | begin | would notify guests in quiet hours | postponed until they end; needs approval if that is too late |
 * | running | go on | the next action, which is independent, no longer applies | skips it; done if it was the last |
 * | running by the agent | go on | would notify guests in quiet hours | postponed until they end; skips the action if that is too late |
 * | running | take | the last action succeeded | done |
 * | running | take | an action was rejected | failed |
 * | running | forget | the remaining actions were removed, or none is left | done or expired |
 * | done | undo | all actions were undone | undone |
 *
 * A second decision on a proposal is rejected, as is an impossible undo.
 *
 * A proposal stores a staff member's edited text only until the text is sent. After that, only the message contains the
 * text, so an erasure does not need to search proposals. `Forget` removes the text from a proposal that has not run.
 */
import * as Either from "effect/Either"
import type { DecisionSource } from "../actor/Actor.ts"
import { type Action, type ActionResult, removeCustomText } from "../automation/Action.ts"
import type { ApprovalReason } from "../automation/autonomyLimits.ts"
import type { Decider } from "../Decider.ts"
import { type Refusal, refuse } from "../Refusal.ts"
import type { Instant } from "../time/Instant.ts"
import { isAwaitingApproval, isReversible, type Proposal } from "./Proposal.ts"

/** A staff member's replacement for the proposed text. */
export interface MessageEdit {
  readonly body: string
  readonly subject?: string | undefined
}

export type ProposalCommand =
  | {
    readonly _tag: "Approve"
    readonly now: Instant
    readonly by: DecisionSource
    /** The actions that still apply. */
    readonly holding: ReadonlyArray<Action>
    readonly draft?: MessageEdit | undefined
  }
  | { readonly _tag: "Dismiss"; readonly now: Instant; readonly by: DecisionSource }
  | { readonly _tag: "Expire"; readonly now: Instant }
  | {
    readonly _tag: "Begin"
    readonly now: Instant
    readonly holding: ReadonlyArray<Action>
    readonly isOverCeiling: boolean
    /** The earliest time to notify guests: the current time, or the end of the quiet hours. */
    readonly loudFrom: Instant
  }
  | {
    readonly _tag: "GoOn"
    readonly now: Instant
    /** Whether the next action still applies. */
    readonly holds: boolean
    /** The earliest time to notify guests of the next action. */
    readonly loudFrom: Instant
  }
  | {
    readonly _tag: "Take"
    readonly now: Instant
    readonly result: ActionResult
    readonly undo?: Action["undo"]
  }
  | { readonly _tag: "Undo"; readonly now: Instant }
  /** The guest with these bookings was erased. Edited text for these bookings is not sent. */
  | { readonly _tag: "Forget"; readonly now: Instant; readonly bookingIds: ReadonlySet<string> }

type DecidedRefusal = Refusal<"proposal_decided" | "proposal_expired">

export interface ProposalRefusals {
  readonly Approve: DecidedRefusal
  readonly Dismiss: DecidedRefusal
  readonly Expire: never
  readonly Begin: never
  readonly GoOn: never
  readonly Take: never
  readonly Undo: Refusal<"not_reversible">
  readonly Forget: never
}

/** The event for a command is the changed proposal, because only its state is stored. */
type ProposalDecider = Decider<Proposal, ProposalCommand, Proposal, ProposalRefusals>

const refuseDecided = ({ status }: Proposal): DecidedRefusal =>
  status === "expired" ? refuse("proposal_expired") : refuse("proposal_decided", status)

const hasBegun = ({ actions }: Proposal): boolean => actions.some(({ result }) => result !== undefined)

const findNextIndex = ({ actions }: Proposal): number => actions.findIndex(({ result }) => result === undefined)

const countRemaining = ({ actions }: Proposal): number => actions.filter(({ result }) => result === undefined).length

/** Returns the ended proposal. The status is `failed` if there is an error, and `done` otherwise. */
const endProposal = (proposal: Proposal, at: Instant, error: string | null = null): Proposal => ({
  ...proposal,
  status: error === null ? "done" : "failed",
  runAt: null,
  doneAt: at,
  error,
  actions: proposal.actions.map(removeCustomText)
})

const expireProposal = (proposal: Proposal): Proposal => ({
  ...proposal,
  status: "expired",
  runAt: null,
  actions: proposal.actions.map(removeCustomText)
})

/** Holds the proposal until it is approved. */
const holdProposal = (proposal: Proposal, why: ApprovalReason): Proposal => ({
  ...proposal,
  held: why,
  runAt: null,
  decidedAt: null,
  decidedBy: null
})

const changeTo = (proposal: Proposal) => Either.right([proposal])

const noChanges = Either.right([])

/**
 * Returns whether the proposal has actions but none of them still applies. A proposal without actions, such as a brief
 * without a note, can still be approved.
 */
const isInvalidated = (proposal: Proposal, validActions: ReadonlyArray<Action>): boolean =>
  proposal.actions.length > 0 && validActions.length === 0

const decide: ProposalDecider["decide"] = {
  Approve: (proposal, { by, draft, holding, now }) => {
    if (!isAwaitingApproval(proposal)) return Either.left(refuseDecided(proposal))
    if (now >= proposal.expiresAt || isInvalidated(proposal, holding)) return changeTo(expireProposal(proposal))
    const actions = draft === undefined ? holding : editMessage(holding, draft)
    const approvedProposal = { ...proposal, runAt: now, decidedAt: now, decidedBy: by, actions }
    return changeTo(holding.length === 0 ? endProposal(approvedProposal, now) : approvedProposal)
  },
  Dismiss: (proposal, { by, now }) => {
    const isScheduled = proposal.status === "pending" && proposal.runAt !== null && proposal.runAt > now &&
      !hasBegun(proposal)
    return isAwaitingApproval(proposal) || isScheduled
      ? changeTo({ ...proposal, status: "dismissed", runAt: null, decidedAt: now, decidedBy: by })
      : Either.left(refuseDecided(proposal))
  },
  Expire: (proposal, { now }) =>
    isAwaitingApproval(proposal) && now >= proposal.expiresAt ? changeTo(expireProposal(proposal)) : noChanges,
  Begin: (proposal, { holding, isOverCeiling, loudFrom, now }) => {
    if (proposal.status !== "pending" || proposal.runAt === null || hasBegun(proposal)) return noChanges
    if (proposal.actions.length === 0) return changeTo(endProposal(proposal, now))
    if (now >= proposal.expiresAt || isInvalidated(proposal, holding)) return changeTo(expireProposal(proposal))
    if (proposal.decidedBy === "agent") {
      if (isOverCeiling) return changeTo(holdProposal(proposal, "money"))
      // A worker may run the proposal hours late, after quiet hours have started.
      if (loudFrom > now) {
        return changeTo(
          loudFrom < proposal.expiresAt ? { ...proposal, runAt: loudFrom } : holdProposal(proposal, null)
        )
      }
    }
    return changeTo({ ...proposal, actions: holding })
  },
  GoOn: (proposal, { holds, loudFrom, now }) => {
    const remainingCount = countRemaining(proposal)
    if (proposal.status !== "pending" || proposal.runAt === null || !hasBegun(proposal) || remainingCount === 0) {
      return noChanges
    }
    const isQuiet = proposal.decidedBy === "agent" && loudFrom > now
    if (holds && !isQuiet) return noChanges
    if (holds && loudFrom < proposal.expiresAt) return changeTo({ ...proposal, runAt: loudFrom })
    const updatedProposal = { ...proposal, actions: proposal.actions.toSpliced(findNextIndex(proposal), 1) }
    return changeTo(remainingCount > 1 ? updatedProposal : endProposal(updatedProposal, now))
  },
  Take: (proposal, { now, result, undo }) => {
    const remainingCount = countRemaining(proposal)
    if (proposal.status !== "pending" || proposal.runAt === null || remainingCount === 0) return noChanges
    const at = findNextIndex(proposal)
    const actions = proposal.actions.map((action, index) =>
      index === at ? removeCustomText({ ...action, result, ...(undo === undefined ? {} : { undo }) }) : action
    )
    const updatedProposal = { ...proposal, actions }
    if (!result.ok) return changeTo(endProposal(updatedProposal, now, result.error ?? "It was refused."))
    return changeTo(remainingCount > 1 ? updatedProposal : endProposal(updatedProposal, now))
  },
  Forget: (proposal, { bookingIds, now }) => {
    const remainingActions = proposal.actions.filter((action) => !isRewordedFor(action, bookingIds))
    if (proposal.status !== "pending" || remainingActions.length === proposal.actions.length) return noChanges
    if (remainingActions.length === 0) return changeTo(expireProposal(proposal))
    const updatedProposal = { ...proposal, actions: remainingActions }
    return changeTo(
      remainingActions.every(({ result }) => result !== undefined) ? endProposal(updatedProposal, now) : updatedProposal
    )
  },
  Undo: (proposal, { now }) =>
    isReversible(proposal)
      ? changeTo({ ...proposal, status: "undone", doneAt: now })
      : Either.left(refuse("not_reversible"))
}

export const proposalDecider: ProposalDecider = { decide, evolve: (_, proposal) => proposal }

/** Returns whether the action has not been executed and contains edited text for one of these bookings. */
const isRewordedFor = ({ facts, input, result }: Action, bookingIds: ReadonlySet<string>): boolean =>
  facts.reworded === true && result === undefined && typeof input.booking_id === "string" &&
  bookingIds.has(input.booking_id)

/** Replaces the text of the first message or reminder. */
const editMessage = (actions: ReadonlyArray<Action>, { body, subject }: MessageEdit): ReadonlyArray<Action> => {
  const at = actions.findIndex(({ kind }) => kind === "message" || kind === "remind")
  const text = subject === undefined ? { body } : { body, subject }
  return actions.map((action, index) =>
    index === at
      ? {
        ...action,
        input: { ...action.input, ...text },
        facts: { ...action.facts, ...text, reworded: true as const }
      }
      : action
  )
}
