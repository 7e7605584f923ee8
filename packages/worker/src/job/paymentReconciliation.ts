import { Reconciliation } from "@trailbook/core/payment/online/Reconciliation"
import type { PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import * as Effect from "effect/Effect"
import { type AnyJob, eraseClaimType } from "../Job.ts"

/**
 * Looks for what happened where orgs take money and was not told. One account that
 * cannot be asked keeps no other from being looked at; it is tried again ten minutes
 * later.
 *
 * @category jobs
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
              // A key that was taken back after the account was disconnected is no surprise.
              connection.disconnectedAt !== null
                ? Effect.void
                : Effect.annotateLogs(
                  Effect.logWarning("Where an outfitter takes payments nothing could be looked up."),
                  { org_id: connection.orgId, connection: connection.id, why: message }
                ),
              { news: 0 }
            )),
          ({ news }) => ({ settled: news })
        ),
      // It was looked at a moment ago as far as anybody knows, and the next look begins where everything is known.
      release: () => Effect.void
    })
)
