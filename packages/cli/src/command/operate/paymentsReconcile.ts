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

export const run: Run<"payments reconcile"> = async ({ json, org, reconciledDays, secretsKeys, ...given }) => {
  const settings = { database: requireFile(given.database), secretsKeys, webhookAllow: undefined }
  keysRequired("payments reconcile", settings)
  const looked = await runProgram(Effect.scoped(
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
  const sum = (count: (one: (typeof looked)[number]) => number) => looked.reduce((all, one) => all + count(one), 0)
  const [happened, news, failed] = [sum((one) => one.happened), sum((one) => one.news), sum((one) => one.failed)]
  if (json) Print.json({ accounts: looked.length, happened, news, failed })
  else {
    Print.line(
      `Found ${happened} payments and refunds from the last ${reconciledDays} days in ${looked.length} accounts. Applied ${news} that were missing.`
    )
    if (failed > 0) Print.note(`${failed} payments or refunds could not be processed. A worker will retry them.`)
  }
  return failed === 0 ? 0 : 1
}
