import { type Errand, type ErrandKind, Outbox } from "@trailbook/core/port/Outbox"
import { max } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"

/**
 * @category constants
 */
export const errandKinds = [
  "mail.held",
  "mail.confirmed",
  "mail.moved",
  "mail.cancelled",
  "refund"
] as const satisfies ReadonlyArray<ErrandKind>

/**
 * @category constants
 */
export const hourMs = 3_600_000

/**
 * Claims everything that is there, whenever it is due.
 *
 * @category storing
 */
export const claimAll = Effect.flatMap(
  Outbox,
  (outbox) => outbox.claim({ kinds: errandKinds, now: max, limit: 100_000, leaseMs: hourMs })
)

/**
 * Every errand that nobody has claimed. They are put back as they were.
 *
 * @category reading
 */
export const unclaimed: Effect.Effect<ReadonlyArray<Errand>, never, Outbox> = Effect.flatMap(
  claimAll,
  (claims) =>
    Effect.as(
      Effect.flatMap(Outbox, ({ release }) => release(claims)),
      claims.map((errand) => Struct.omit(errand, "fence"))
    )
)
