/**
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../time/Instant.ts"

/**
 * Something to do outside the database once a unit of work has committed. An
 * errand names its subject and holds no words and no addresses: what it says is
 * made when it runs, so an erasure need not look here.
 *
 * @since 0.1.0
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
 * Mails to the guest, one per change (decision 5.14), and refunds (decision 5.9).
 *
 * @since 0.1.0
 * @category models
 */
export type ErrandKind = "mail.held" | "mail.confirmed" | "mail.moved" | "mail.cancelled" | "refund"

/**
 * An errand refers to a booking of its own org. One that refers to none is not
 * stored: that is a defect.
 *
 * @since 0.1.0
 * @category ports
 */
export class Outbox extends Context.Tag("@trailbook/core/Outbox")<
  Outbox,
  {
    /** Stores errands whose ids are new. */
    readonly add: (errands: ReadonlyArray<Errand>) => Effect.Effect<void>
    /** Up to `limit` errands of all orgs that are due, the longest due first. */
    readonly due: (now: Instant, limit: number) => Effect.Effect<ReadonlyArray<Errand>>
    /** Takes an errand away; one that is gone already stays so. */
    readonly done: (errand: Errand) => Effect.Effect<void>
    /** Puts an errand back with its new `dueAt`, `attempts` and `lastError`; one that is done stays gone. */
    readonly postpone: (errand: Errand) => Effect.Effect<void>
  }
>() {}
