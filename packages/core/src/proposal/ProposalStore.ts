import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AutomationName } from "../automation/Automation.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"
import type { ClaimedProposal, Proposal, ProposalStatus } from "./Proposal.ts"

/**
 * A proposal refers to its org; one that refers to none is not stored: that is a
 * defect. An org has one for an automation, a subject and a day.
 *
 * @category ports
 */
export class ProposalStore extends Context.Tag("@trailbook/core/ProposalStore")<
  ProposalStore,
  {
    /** Stores a proposal with a new id, unless there is one for its automation, subject and day, and says whether it did. */
    readonly add: (proposal: Proposal) => Effect.Effect<boolean>
    /** Each once, however often its key is given, in any order. Keys that name none are left out. */
    readonly find: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Proposal>>
    /** The same, kept from changing until the unit of work ends; locked in the order of ids. */
    readonly lock: (keys: ReadonlyArray<OrgKey>) => Effect.Effect<ReadonlyArray<Proposal>>
    /** By creation and id, newest first, after a position. */
    readonly list: (query: {
      readonly orgId: string
      readonly status?: ProposalStatus | undefined
      readonly automation?: AutomationName | undefined
      readonly after?: Position | undefined
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Proposal>>
    /** Replaces the one with its key; a claim on it stays as it is. */
    readonly put: (proposal: Proposal) => Effect.Effect<void>
    /** How many of an org the agent decided on after a moment. */
    readonly countOwn: (orgId: string, after: Instant) => Effect.Effect<number>
    /** Those of all orgs that wait for a person and whose time was over at a moment, the longest first. */
    readonly overdue: (now: Instant, limit: number) => Effect.Effect<ReadonlyArray<OrgKey>>
    /**
     * Claims up to `limit` proposals of all orgs that may run and that nobody has claimed,
     * the longest due first. They are nobody else's until the lease ends, which the
     * storage's own clock measures, or they are given back.
     */
    readonly claim: (options: {
      readonly now: Instant
      readonly limit: number
      readonly leaseMs: number
    }) => Effect.Effect<ReadonlyArray<ClaimedProposal>>
    /** Whether the claim is good still. Asked in a unit of work that has locked the proposal, it stays so. */
    readonly isClaimed: (claim: ClaimedProposal) => Effect.Effect<boolean>
    /** Gives claims back. A claim that is void changes nothing. */
    readonly release: (claims: ReadonlyArray<ClaimedProposal>) => Effect.Effect<void>
  }
>() {}
