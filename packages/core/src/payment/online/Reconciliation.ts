/**
 * Looking for what happened at providers and was not told: notices get lost, and an
 * answer may have, too. Every account is looked at again ten minutes after the last
 * time, from a little before where everything is known.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TenantScope } from "../../port/TenantScope.ts"
import { currentTime } from "../../time/currentTime.ts"
import * as Instant from "../../time/Instant.ts"
import type { PaymentConnection } from "../PaymentConnection.ts"
import { PaymentConnectionStore } from "../PaymentConnectionStore.ts"
import { PaymentsFailed } from "../PaymentsFailed.ts"
import { type Account, Checkouts } from "./Checkouts.ts"
import { Payments } from "./Payments.ts"

/**
 * What a look found: how much happened, how much of it was new here, and what could
 * not be looked at.
 */
export interface ReconciliationResult {
  readonly happened: number
  readonly news: number
  readonly failed: number
}

export class Reconciliation extends Context.Tag("@trailbook/core/Reconciliation")<
  Reconciliation,
  {
    /** Up to `limit` connections of all orgs that nobody has looked at for ten minutes; nobody else gets them then. */
    readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<PaymentConnection>>
    /** Settles what happened at the account of a connection since a moment; since all was known, when none is said. */
    readonly look: (
      connection: PaymentConnection,
      since?: Instant.Instant
    ) => Effect.Effect<ReconciliationResult, PaymentsFailed>
  }
>() {
  static readonly layer = Layer.effect(
    Reconciliation,
    Effect.gen(function*() {
      const checkouts = yield* Checkouts
      const connections = yield* PaymentConnectionStore
      const payments = yield* Payments

      return Reconciliation.of({
        claim: (limit) =>
          Effect.flatMap(
            currentTime,
            (now) => connections.claim({ before: Instant.addMinutes(now, -everyMinutes), now, limit })
          ),
        look: (connection, since = Instant.addMinutes(connection.seenTo, -overlapMinutes)) =>
          Effect.gen(function*() {
            const { id, orgId, provider } = connection
            const account: Account = { orgId, provider, connection: id }
            const begun = yield* currentTime
            const happened = yield* Effect.timeoutFail(Effect.disconnect(payments.since(account, since)), {
              duration: patience,
              onTimeout: () => new PaymentsFailed({ message: "The payment provider did not answer." })
            })
            let news = 0
            let failed = 0
            let isSeen = true
            for (const one of happened) {
              const told = yield* Effect.either(checkouts.told(account, one))
              if (told._tag === "Right") news += told.right ? 1 : 0
              else {
                failed++
                // What the provider refuses to show is not shown the next time either, and what comes behind it waits.
                isSeen &&= told.left.reason === "refused"
                yield* Effect.annotateLogs(Effect.logWarning("A payment could not be looked at."), {
                  org_id: orgId,
                  connection: id,
                  why: told.left.message
                })
              }
            }
            if (isSeen) yield* connections.seen({ orgId, id }, begun)
            return { happened: happened.length, news, failed }
          }).pipe(Effect.provideService(TenantScope, [connection.orgId]))
      })
    })
  )
}

const everyMinutes = 10

/** What happened a moment ago may not be listed yet, and clocks differ. */
const overlapMinutes = 10

/** Hundreds of events come page by page. */
const patience = "2 minutes"
