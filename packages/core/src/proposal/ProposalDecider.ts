/**
 * What may happen to a proposal.
 *
 * | state | command | condition | next |
 * |---|---|---|---|
 * | waits | approve | its time is not over and something of it still holds | runs now, with what holds |
 * | waits | approve | else | expired |
 * | waits | dismiss | | dismissed |
 * | waits | expire | its time is over | expired |
 * | runs, later | dismiss | no action was taken yet | dismissed |
 * | runs | begin | something of it still holds | runs, with what holds |
 * | runs | begin | nothing holds | expired |
 * | runs by itself | begin | it would refund more than the agent may by now | waits, held for the money |
 * | runs by itself | begin | guests would hear of it in quiet hours | runs when they end; waits, where that is too late |
 * | runs | go on | its next action, which stands by itself, holds no more | without it; done, where it was the last |
 * | runs by itself | go on | the same in quiet hours | when they end; without it, where that is too late |
 * | runs | take | an action, in its order; the last one succeeded | done |
 * | runs | take | it was refused | failed |
 * | runs | forget | what is left of it was taken, or nothing is left | done, or expired |
 * | done | undo | everything was taken back | undone |
 *
 * Whoever decides on one that was decided is refused; so is undoing what cannot be undone.
 *
 * A person's own words stand in it until they are sent, and no longer: then they are in
 * the message, and no proposal has to be looked through when its guest is erased. Those of
 * one that was not run are forgotten by `Forget`.
 */
import * as Either from "effect/Either"
import type { DecidedBy } from "../actor/attribution.ts"
import { type Action, type Result, withoutCustomText } from "../automation/Action.ts"
import type { HoldReason } from "../automation/autonomyLimits.ts"
import type { Decider } from "../Decider.ts"
import { type Refusal, refuse } from "../Refusal.ts"
import type { Instant } from "../time/Instant.ts"
import { isReversible, isWaiting, type Proposal } from "./Proposal.ts"

/**
 * Words of a person in the place of the first ones.
 *
 * @category models
 */
export interface MessageEdit {
  readonly body: string
  readonly subject?: string | undefined
}

export type ProposalCommand =
  | {
    readonly _tag: "Approve"
    readonly now: Instant
    readonly by: DecidedBy
    /** The actions that still hold. */
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
    /** When guests may hear of it from: now, outside of quiet hours. */
    readonly loudFrom: Instant
  }
  | {
    readonly _tag: "GoOn"
    readonly now: Instant
    /** Whether the next action still holds. */
    readonly holds: boolean
    /** When guests may hear of the next action from. */
    readonly loudFrom: Instant
  }
  | {
    readonly _tag: "Take"
    readonly now: Instant
    readonly result: Result
    readonly undo?: Action["undo"]
  }
  | { readonly _tag: "Undo"; readonly now: Instant }
  /** The guest of these bookings was erased: what a person wanted to say to them is not said. */
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

/**
 * @category deciding
 */
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

/** With an error it has failed. */
const ended = (at: Instant, error: string | null = null): ProposalEvent => ({
  _tag: "ended",
  status: error === null ? "done" : "failed",
  at,
  error
})

/** Nothing to do is something to approve: a brief without a note. */
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
      // Whoever runs it may come hours late, and so into the night.
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

/**
 * @category deciding
 */
export const proposalDecider: Decisions = { decide, evolve }

/** It says a person's own words to one of these guests, and was not taken. */
const isOwnTo = ({ facts, input, result }: Action, bookingIds: ReadonlySet<string>): boolean =>
  facts.reworded === true && result === undefined && typeof input.booking_id === "string" &&
  bookingIds.has(input.booking_id)

/** Takes the place of the words of the first message or reminder. */
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
