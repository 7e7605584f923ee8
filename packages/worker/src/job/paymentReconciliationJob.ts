import { type PaymentConnection, Reconciliation } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import { type AnyJob, eraseClaimType } from "../Job.ts"

/**
 * Reads recent activity from the payment providers and applies payments whose webhooks were lost. If reading an account
 * fails, the failure is logged and the account is retried after ten minutes. Other accounts are not affected.
 */
export const paymentReconciliationJob: Effect.Effect<AnyJob, never, Reconciliation> = Effect.map(
  Reconciliation,
  ({ claim, reconcileAccount }) =>
    eraseClaimType<PaymentConnection>({
      name: "payments",
      concurrency: 4,
      pause: "10 seconds",
      claim,
      run: (connection) =>
        Effect.map(
          Effect.catchAll(reconcileAccount(connection), ({ message }) =>
            Effect.as(
              // Outfitters often revoke the API key after disconnecting, so this failure is expected.
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
