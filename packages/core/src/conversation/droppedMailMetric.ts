import type * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { DropReason } from "./InboundMail.ts"

const drops = Metric.counter("mail_dropped", {
  description: "Inbound emails that were dropped, by reason.",
  incremental: true
})

/** Counts a dropped email. */
export const countDroppedMail = (reason: DropReason): Effect.Effect<void> =>
  Metric.update(Metric.tagged(drops, "reason", reason), 1)
