import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AutomationName } from "../automation/Automation.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"
import type { ClaimedProposal, Proposal, ProposalStatus } from "./Proposal.ts"

/**
 * Stores proposals. A proposal references its org. A write that violates this rule fails as a defect. An org has at
 * most one proposal per automation, subject, and day.
 */
export class ProposalStore extends Context.Tag("@trailbook/core/ProposalStore")<
  ProposalStore,
  {
    /**
     * Stores a new proposal, unless a proposal exists for its automation, subject, and day. Returns whether the
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
    /** Returns the number of an org's proposals that the agent decided on after this time. */
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
