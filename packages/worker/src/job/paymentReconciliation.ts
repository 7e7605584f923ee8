import { Reconciliation } from "@trailbook/core/payment/online/Reconciliation"
import type { PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import * as Effect from "effect/Effect"
import { type AnyJob, eraseClaimType } from "../Job.ts"

/**
 * Reads recent activity from payment providers and applies payments with lost webhooks. An account that fails is logged
 * and retried after ten minutes. It does not affect other accounts.
 */
export const paymentReconciliation: Effect.Effect<AnyJob, never, Reconciliation> = Effect.map(
  Reconciliation,
  ({ claim, look }) =>
    eraseClaimType<PaymentConnection>({
      name: "payments",
      concurrency: 4,
      pause: "10 seconds",
      claim,
      run: (connection) =>
        Effect.map(
          Effect.catchAll(look(connection), ({ message }) =>
            Effect.as(
              // Outfitters often revoke the API key after they disconnect, so this failure is expected.
              connection.disconnectedAt !== null
                ? Effect.void
                : Effect.annotateLogs(
                  Effect.logWarning("Payment reconciliation failed"),
                  { org_id: connection.orgId, connection: connection.id, why: message }
                ),
              { news: 0 }
            )),
          ({ news }) => ({ settled: news })
        ),
      // An interrupted run does not advance its position, so the next run covers the same time range.
      release: () => Effect.void
    })
)
