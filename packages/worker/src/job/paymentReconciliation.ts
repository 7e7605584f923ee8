import { Reconciliation } from "@trailbook/core/payment/online/Reconciliation"
import type { PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import * as Effect from "effect/Effect"
import { type AnyJob, eraseClaimType } from "../Job.ts"

/**
 * Fetches recent activity from payment providers and applies payments whose webhooks were lost. An account that fails
 * is logged and retried after ten minutes. It does not affect other accounts.
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
              // Outfitters often revoke the API key after disconnecting, so a failure is expected then.
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
      // An interrupted run has not advanced its position, so the next run covers the same time range again.
      release: () => Effect.void
    })
)
