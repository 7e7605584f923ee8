import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../time/Instant.ts"

/**
 * Something to do outside the database once a unit of work has committed. An
 * errand names its subject and holds no words and no addresses: what it says is
 * made when it runs, so an erasure need not look here.
 *
 * @category models
 */
export interface Errand {
  readonly id: string
  readonly orgId: string
  readonly kind: ErrandKind
  readonly bookingId: string
  /** Not before this moment; moved into the future after a failure. */
  readonly dueAt: Instant
  readonly attempts: number
  /** What went wrong last, for the outfitter to see; null while nothing did. */
  readonly lastError: string | null
}

/**
 * An errand that somebody is running. `fence` is another after every claim.
 *
 * @category models
 */
export interface ClaimedErrand extends Errand {
  readonly fence: number
}

/**
 * Mails to the guest, one per change, and refunds.
 *
 * @category models
 */
export type ErrandKind = "mail.held" | "mail.confirmed" | "mail.moved" | "mail.cancelled" | "refund"

/**
 * An errand refers to a booking of its own org. One that refers to none is not
 * stored: that is a defect.
 *
 * @category ports
 */
export class Outbox extends Context.Tag("@trailbook/core/Outbox")<
  Outbox,
  {
    /** Stores errands whose ids are new. */
    readonly add: (errands: ReadonlyArray<Errand>) => Effect.Effect<void>
    /**
     * Claims up to `limit` errands of these kinds, of all orgs, that are due and
     * that nobody has claimed, the longest due first. They are nobody else's until
     * the lease ends, which the storage's own clock measures, or they are put back.
     */
    readonly claim: (options: {
      readonly kinds: ReadonlyArray<ErrandKind>
      readonly now: Instant
      readonly limit: number
      readonly leaseMs: number
    }) => Effect.Effect<ReadonlyArray<ClaimedErrand>>
    /** Takes errands away. A claim that was put back, or that somebody else has since, is void and changes nothing, here and below. */
    readonly done: (errands: ReadonlyArray<ClaimedErrand>) => Effect.Effect<void>
    /** Puts an errand back with its new `dueAt`, `attempts` and `lastError`. */
    readonly postpone: (errand: ClaimedErrand) => Effect.Effect<void>
    /** Puts errands back as they were, for the next who claims. */
    readonly release: (errands: ReadonlyArray<ClaimedErrand>) => Effect.Effect<void>
  }
>() {}
