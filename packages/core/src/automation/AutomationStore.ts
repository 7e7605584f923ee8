import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../time/Instant.ts"
import type { Automation } from "./Automation.ts"

/**
 * An automation whose turn somebody takes. `fence` is another after every claim.
 *
 * @category models
 */
export interface ClaimedAutomation extends Automation {
  readonly fence: number
}

/**
 * An automation refers to its org; one that refers to none is not stored: that is a
 * defect. Those that were never set are not there.
 *
 * @category ports
 */
export class AutomationStore extends Context.Tag("@trailbook/core/AutomationStore")<
  AutomationStore,
  {
    /** Those of an org that were set, in any order. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Automation>>
    /** The same, kept from changing until the unit of work ends; locked in the order of their names. */
    readonly lock: (orgId: string) => Effect.Effect<ReadonlyArray<Automation>>
    /** Inserts it, or replaces the one of its org and name; a claim on it is void then. */
    readonly put: (automation: Automation) => Effect.Effect<void>
    /**
     * Claims up to `limit` automations of all orgs whose turn is due and that nobody has
     * claimed, the longest due first. They are nobody else's until the lease ends, which
     * the storage's own clock measures.
     */
    readonly claim: (options: {
      readonly now: Instant
      readonly limit: number
      readonly leaseMs: number
    }) => Effect.Effect<ReadonlyArray<ClaimedAutomation>>
    /** Says when its next turn is, gives the claim back, and answers whether the claim was good: else nothing changes. */
    readonly moveOn: (claim: ClaimedAutomation, nextAt: Instant | null) => Effect.Effect<boolean>
    /** Gives claims back as they were. A claim that is void changes nothing. */
    readonly release: (claims: ReadonlyArray<ClaimedAutomation>) => Effect.Effect<void>
  }
>() {}
