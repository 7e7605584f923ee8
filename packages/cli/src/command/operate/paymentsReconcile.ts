import { PaymentConnectionStore, Reconciliation } from "@trailbook/core/payment"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { Failure } from "@trailbook/runtime/Failure"
import { domainLayer } from "@trailbook/server/domainLayer"
import { runProgram } from "@trailbook/server/runProgram"
import { keysRequired } from "@trailbook/server/secrets/loadKeys"
import * as Effect from "effect/Effect"
import { orgIdFromDetails } from "../../database/orgIdFromDetails.ts"
import { requireFile } from "../../database/requireFile.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"

export const run: Run<"payments reconcile"> = async ({ json, org, reconciledDays, secretsKeys, ...rest }) => {
  const settings = { database: requireFile(rest.database), secretsKeys, webhookAllow: undefined }
  keysRequired("payments reconcile", settings)
  const results = await runProgram(Effect.scoped(
    Effect.gen(function*() {
      const domain = yield* domainLayer(settings)
      return yield* Effect.gen(function*() {
        const { id } = yield* orgIdFromDetails(org)
        const { look } = yield* Reconciliation
        const connections = yield* (yield* PaymentConnectionStore).list(id)
        const since = Instant.addMinutes(yield* currentTime, -reconciledDays * 24 * 60)
        return yield* Effect.forEach(
          connections,
          (connection) => Effect.mapError(look(connection, since), ({ message }) => new Failure(message))
        )
      }).pipe(Effect.provide(domain))
    })
  ))
  const sum = (count: (result: (typeof results)[number]) => number) =>
    results.reduce((all, result) => all + count(result), 0)
  const [totalCount, newCount, failedCount] = [
    sum((result) => result.happened),
    sum((result) => result.news),
    sum((result) => result.failed)
  ]
  if (json) Print.json({ accounts: results.length, happened: totalCount, news: newCount, failed: failedCount })
  else {
    Print.line(
      `Found ${totalCount} payments and refunds from the last ${reconciledDays} days in ${results.length} accounts. Applied ${newCount} that were missing.`
    )
    if (failedCount > 0) {
      Print.note(`${failedCount} payments or refunds could not be processed. A worker will retry them.`)
    }
  }
  return failedCount === 0 ? 0 : 1
}
