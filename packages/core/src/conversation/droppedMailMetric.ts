import type * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { DropReason } from "./InboundMail.ts"

const drops = Metric.counter("mail_dropped", {
  description: "Mails that were not taken, by reason.",
  incremental: true
})

/**
 * Counts a mail that was dropped.
 *
 * @category effects
 */
export const countDroppedMail = (reason: DropReason): Effect.Effect<void> =>
  Metric.update(Metric.tagged(drops, "reason", reason), 1)
