import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../time/Instant.ts"
import type { Automation } from "./Automation.ts"

/** An automation with a claimed run. Every claim gets a new `fence`. */
export interface ClaimedAutomation extends Automation {
  readonly fence: number
}

/**
 * Stores automations. An automation must reference an existing org. A write that violates this rule fails as a defect.
 * Automations that were never changed are not stored.
 */
export class AutomationStore extends Context.Tag("@trailbook/core/AutomationStore")<
  AutomationStore,
  {
    /** Returns an org's stored automations, in any order. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Automation>>
    /** Like `list`, but locks the automations in name order until the transaction ends. */
    readonly lock: (orgId: string) => Effect.Effect<ReadonlyArray<Automation>>
    /**
     * Inserts an automation, or replaces the one with the same org and name. Replacing an automation voids its claim.
     */
    readonly put: (automation: Automation) => Effect.Effect<void>
    /**
     * Claims up to `limit` due, unclaimed automations across all orgs. The most overdue automations come first. A claim
     * lasts until its lease expires, by the database clock.
     */
    readonly claim: (options: {
      readonly now: Instant
      readonly limit: number
      readonly leaseMs: number
    }) => Effect.Effect<ReadonlyArray<ClaimedAutomation>>
    /** Sets the time of the next run and releases the claim. Returns false and changes nothing if the claim is void. */
    readonly moveOn: (claim: ClaimedAutomation, nextAt: Instant | null) => Effect.Effect<boolean>
    /** Releases claims without changing anything else. Void claims are ignored. */
    readonly release: (claims: ReadonlyArray<ClaimedAutomation>) => Effect.Effect<void>
  }
>() {}
