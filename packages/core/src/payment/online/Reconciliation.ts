/**
 * Reconciles payments with the providers, because webhooks and responses can be lost. Every account is reconciled again
 * 10 minutes after its last reconciliation. A reconciliation reads the changes since shortly before `seenTo`.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TenantScope } from "../../port/UnitOfWork.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Instant from "../../time/Instant.ts"
import { type PaymentConnection, PaymentConnectionStore } from "../PaymentConnection.ts"
import { PaymentsFailed } from "../PaymentProvider.ts"
import { Checkouts, type ReportedAccount } from "./Checkouts.ts"
import { Payments } from "./Payments.ts"

/** How many changes were found at the provider, how many of them were new, and how many queries failed. */
export interface ReconciliationResult {
  readonly happened: number
  readonly news: number
  readonly failed: number
}

export class Reconciliation extends Context.Tag("@trailbook/core/Reconciliation")<
  Reconciliation,
  {
    /**
     * Claims up to `limit` connections across all orgs that have not been reconciled for 10 minutes. Other workers
     * cannot claim these connections for another 10 minutes.
     */
    readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /** Settles the changes at a connected account since a given time. The default is shortly before `seenTo`. */
    readonly reconcileAccount: (
      connection: PaymentConnection,
      since?: Instant.Instant
    ) => Effect.Effect<ReconciliationResult, PaymentsFailed>
  }
>() {
  static readonly layer = Layer.effect(Reconciliation, Effect.suspend(() => makeReconciliation))
}

const makeReconciliation = Effect.gen(function*() {
  const checkouts = yield* Checkouts
  const connections = yield* PaymentConnectionStore
  const payments = yield* Payments

  return Reconciliation.of({
    claim: (limit) =>
      Effect.flatMap(
        currentTime,
        (now) => connections.claim({ before: Instant.addMinutes(now, -intervalMinutes), now, limit })
      ),
    reconcileAccount: (connection, since = Instant.addMinutes(connection.seenTo, -overlapMinutes)) =>
      Effect.gen(function*() {
        const { id, orgId, provider } = connection
        const account: ReportedAccount = { orgId, provider, connection: id }
        const startedAt = yield* currentTime
        const changes = yield* Effect.timeoutFail(Effect.disconnect(payments.since(account, since)), {
          duration: queryTimeout,
          onTimeout: () => new PaymentsFailed({ message: "The payment provider did not respond." })
        })
        let changeCount = 0
        let failureCount = 0
        let canAdvance = true
        for (const one of changes) {
          const outcome = yield* Effect.either(checkouts.apply(account, one))
          if (outcome._tag === "Right") changeCount += outcome.right ? 1 : 0
          else {
            failureCount++
            // A refused query will never succeed, so it must not delay later changes.
            canAdvance &&= outcome.left.reason === "refused"
            yield* Effect.annotateLogs(Effect.logWarning("Could not look up a payment"), {
              org_id: orgId,
              connection: id,
              why: outcome.left.message
            })
          }
        }
        if (canAdvance) yield* connections.advanceSeenTo({ orgId, id }, startedAt)
        return { happened: changes.length, news: changeCount, failed: failureCount }
      }).pipe(Effect.provideService(TenantScope, [connection.orgId]))
  })
})

const intervalMinutes = 10

/** Queries overlap by this many minutes, because the provider's list may lag behind and clocks differ. */
const overlapMinutes = 10

/** The timeout of a reconciliation. It is long, because a reconciliation can read hundreds of events in pages. */
const queryTimeout = "2 minutes"
