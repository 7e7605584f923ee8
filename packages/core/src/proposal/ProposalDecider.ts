/**
 * The transitions of a proposal.
 *
 * | state | command | condition | next |
 * |---|---|---|---|
 * | needs approval | approve | not expired, and some actions still apply | runs now, with these actions |
 * | needs approval | approve | otherwise | expired |
 * | needs approval | dismiss | | dismissed |
 * | needs approval | expire | past its expiry | expired |
 * | scheduled | dismiss | no action was executed | dismissed |
 * | scheduled | begin | some actions still apply | runs, with these actions |
 * | scheduled | begin | no action applies | expired |
 * | scheduled by the agent | begin | refunds exceed the current limit of the agent | needs approval, held for `money` |
 * | scheduled by the agent | begin | would notify guests in quiet hours | postponed to their end; needs approval if that is too late |
 * | running | go on | the next action, which is independent, no longer applies | skips it; done if it was the last |
 * | running by the agent | go on | would notify guests in quiet hours | postponed to their end; skips the action if that is too late |
 * | running | take | an action, in order; the last one succeeded | done |
 * | running | take | the action was rejected | failed |
 * | running | forget | the remaining actions were removed, or none is left | done or expired |
 * | done | undo | all actions were undone | undone |
 *
 * A decision on a decided proposal is rejected, and so is an undo that is not possible.
 *
 * Edited text of a staff member is stored in the proposal only until it is sent. After that it is in the message, so an
 * erasure does not need to search proposals. `Forget` removes the text of a proposal that was not run.
 */
import * as Either from "effect/Either"
import type { DecidedBy } from "../actor/attribution.ts"
import { type Action, type Result, withoutCustomText } from "../automation/Action.ts"
import type { HoldReason } from "../automation/autonomyLimits.ts"
import type { Decider } from "../Decider.ts"
import { type Refusal, refuse } from "../Refusal.ts"
import type { Instant } from "../time/Instant.ts"
import { isReversible, isWaiting, type Proposal } from "./Proposal.ts"

/** A staff member's replacement for the proposed text. */
export interface MessageEdit {
  readonly body: string
  readonly subject?: string | undefined
}

export type ProposalCommand =
  | {
    readonly _tag: "Approve"
    readonly now: Instant
    readonly by: DecidedBy
    /** The actions that still apply. */
    readonly holding: ReadonlyArray<Action>
    readonly draft?: MessageEdit | undefined
  }
  | { readonly _tag: "Dismiss"; readonly now: Instant; readonly by: DecidedBy }
  | { readonly _tag: "Expire"; readonly now: Instant }
  | {
    readonly _tag: "Begin"
    readonly now: Instant
    readonly holding: ReadonlyArray<Action>
    readonly isOverCeiling: boolean
    /** The earliest time to notify guests: now, or the end of quiet hours. */
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
    readonly result: Result
    readonly undo?: Action["undo"]
  }
  | { readonly _tag: "Undo"; readonly now: Instant }
  /** The guest of these bookings was erased. Edited text for them is not sent. */
  | { readonly _tag: "Forget"; readonly now: Instant; readonly bookingIds: ReadonlySet<string> }

export type ProposalEvent =
  | {
    readonly _tag: "approved"
    readonly at: Instant
    readonly by: DecidedBy
    readonly actions: ReadonlyArray<Action>
  }
  | { readonly _tag: "dismissed"; readonly at: Instant; readonly by: DecidedBy }
  | { readonly _tag: "expired" }
  | { readonly _tag: "begun"; readonly actions: ReadonlyArray<Action> }
  | { readonly _tag: "held"; readonly why: HoldReason }
  | { readonly _tag: "postponed"; readonly to: Instant }
  | { readonly _tag: "left" }
  | { readonly _tag: "taken"; readonly result: Result; readonly undo: Action["undo"] }
  | { readonly _tag: "ended"; readonly status: "done" | "failed"; readonly at: Instant; readonly error: string | null }
  | { readonly _tag: "undone"; readonly at: Instant }

type Decided = Refusal<"proposal_decided" | "proposal_expired">

export interface ProposalRefusals {
  readonly Approve: Decided
  readonly Dismiss: Decided
  readonly Expire: never
  readonly Begin: never
  readonly GoOn: never
  readonly Take: never
  readonly Undo: Refusal<"not_reversible">
  readonly Forget: never
}

type Decisions = Decider<Proposal, ProposalCommand, ProposalEvent, ProposalRefusals>

const decided = ({ status }: Proposal): Decided =>
  status === "expired" ? refuse("proposal_expired") : refuse("proposal_decided", status)

const hasBegun = ({ actions }: Proposal): boolean => actions.some(({ result }) => result !== undefined)

const nextAt = ({ actions }: Proposal): number => actions.findIndex(({ result }) => result === undefined)

const leftOf = ({ actions }: Proposal): number => actions.filter(({ result }) => result === undefined).length

/** Failed if there is an error, otherwise done. */
const ended = (at: Instant, error: string | null = null): ProposalEvent => ({
  _tag: "ended",
  status: error === null ? "done" : "failed",
  at,
  error
})

/** A proposal without actions can be approved: a brief without a note. */
const nothingHolds = (proposal: Proposal, holding: ReadonlyArray<Action>): boolean =>
  proposal.actions.length > 0 && holding.length === 0

const decide: Decisions["decide"] = {
  Approve: (proposal, { by, draft, holding, now }) => {
    if (!isWaiting(proposal)) return Either.left(decided(proposal))
    if (now >= proposal.expiresAt || nothingHolds(proposal, holding)) return Either.right([{ _tag: "expired" }])
    return Either.right([
      { _tag: "approved", at: now, by, actions: draft === undefined ? holding : reworded(holding, draft) },
      ...(holding.length === 0 ? [ended(now)] : [])
    ])
  },
  Dismiss: (proposal, { by, now }) => {
    const isLater = proposal.status === "pending" && proposal.runAt !== null && proposal.runAt > now &&
      !hasBegun(proposal)
    return isWaiting(proposal) || isLater
      ? Either.right([{ _tag: "dismissed", at: now, by }])
      : Either.left(decided(proposal))
  },
  Expire: (proposal, { now }) =>
    Either.right(isWaiting(proposal) && now >= proposal.expiresAt ? [{ _tag: "expired" }] : []),
  Begin: (proposal, { holding, isOverCeiling, loudFrom, now }) => {
    if (proposal.status !== "pending" || proposal.runAt === null || hasBegun(proposal)) return Either.right([])
    if (proposal.actions.length === 0) return Either.right([ended(now)])
    if (now >= proposal.expiresAt || nothingHolds(proposal, holding)) return Either.right([{ _tag: "expired" }])
    if (proposal.decidedBy === "agent") {
      if (isOverCeiling) return Either.right([{ _tag: "held", why: "money" }])
      // A worker can run it hours late, in quiet hours.
      if (loudFrom > now) {
        return Either.right([
          loudFrom < proposal.expiresAt ? { _tag: "postponed", to: loudFrom } : { _tag: "held", why: null }
        ])
      }
    }
    return Either.right([{ _tag: "begun", actions: holding }])
  },
  GoOn: (proposal, { holds, loudFrom, now }) => {
    const left = leftOf(proposal)
    if (proposal.status !== "pending" || proposal.runAt === null || !hasBegun(proposal) || left === 0) {
      return Either.right([])
    }
    const isQuiet = proposal.decidedBy === "agent" && loudFrom > now
    if (holds && !isQuiet) return Either.right([])
    if (holds && loudFrom < proposal.expiresAt) return Either.right([{ _tag: "postponed", to: loudFrom }])
    return Either.right(left > 1 ? [{ _tag: "left" }] : [{ _tag: "left" }, ended(now)])
  },
  Take: (proposal, { now, result, undo }) => {
    const left = leftOf(proposal)
    if (proposal.status !== "pending" || proposal.runAt === null || left === 0) return Either.right([])
    const taken = { _tag: "taken" as const, result, undo }
    if (!result.ok) return Either.right([taken, ended(now, result.error ?? "It was refused.")])
    return Either.right(left > 1 ? [taken] : [taken, ended(now)])
  },
  Forget: (proposal, { bookingIds, now }) => {
    const left = proposal.actions.filter((action) => !isOwnTo(action, bookingIds))
    if (proposal.status !== "pending" || left.length === proposal.actions.length) return Either.right([])
    if (left.length === 0) return Either.right([{ _tag: "expired" }])
    const begun = { _tag: "begun" as const, actions: left }
    return Either.right(left.every(({ result }) => result !== undefined) ? [begun, ended(now)] : [begun])
  },
  Undo: (proposal, { now }) =>
    isReversible(proposal) ? Either.right([{ _tag: "undone", at: now }]) : Either.left(refuse("not_reversible"))
}

const evolve = (proposal: Proposal, event: ProposalEvent): Proposal => {
  switch (event._tag) {
    case "approved":
      return {
        ...proposal,
        runAt: event.at,
        decidedAt: event.at,
        decidedBy: event.by,
        actions: event.actions
      }
    case "dismissed":
      return { ...proposal, status: "dismissed", runAt: null, decidedAt: event.at, decidedBy: event.by }
    case "expired":
      return { ...proposal, status: "expired", runAt: null, actions: proposal.actions.map(withoutCustomText) }
    case "begun":
      return { ...proposal, actions: event.actions }
    case "held":
      return { ...proposal, held: event.why, runAt: null, decidedAt: null, decidedBy: null }
    case "postponed":
      return { ...proposal, runAt: event.to }
    case "left":
      return { ...proposal, actions: proposal.actions.toSpliced(nextAt(proposal), 1) }
    case "taken": {
      const { result, undo } = event
      const at = nextAt(proposal)
      return {
        ...proposal,
        actions: proposal.actions.map((action, index) =>
          index === at ? withoutCustomText({ ...action, result, ...(undo === undefined ? {} : { undo }) }) : action
        )
      }
    }
    case "ended":
      return {
        ...proposal,
        status: event.status,
        runAt: null,
        doneAt: event.at,
        error: event.error,
        actions: proposal.actions.map(withoutCustomText)
      }
    case "undone":
      return { ...proposal, status: "undone", doneAt: event.at }
  }
}

export const proposalDecider: Decisions = { decide, evolve }

/** Whether it contains edited text for one of these guests and was not executed. */
const isOwnTo = ({ facts, input, result }: Action, bookingIds: ReadonlySet<string>): boolean =>
  facts.reworded === true && result === undefined && typeof input.booking_id === "string" &&
  bookingIds.has(input.booking_id)

/** Replaces the text of the first message or reminder. */
const reworded = (actions: ReadonlyArray<Action>, { body, subject }: MessageEdit): ReadonlyArray<Action> => {
  const at = actions.findIndex(({ kind }) => kind === "message" || kind === "remind")
  const words = subject === undefined ? { body } : { body, subject }
  return actions.map((action, index) =>
    index === at
      ? {
        ...action,
        input: { ...action.input, ...words },
        facts: { ...action.facts, ...words, reworded: true as const }
      }
      : action
  )
}
