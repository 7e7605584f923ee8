import { Reconciliation } from "@trailbook/core/booking/Reconciliation"
import { PaymentConnectionStore } from "@trailbook/core/payment/PaymentConnectionStore"
import * as Instant from "@trailbook/core/time/Instant"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import { orgOf } from "../runtime/accounts.ts"
import { existing } from "../runtime/existing.ts"
import { runProgram } from "../runtime/runProgram.ts"
import { keysRequired } from "../secrets/keysOf.ts"
import { domainOf } from "../server/domainOf.ts"
import type { Run } from "./Command.ts"
import { Failure } from "./CommandError.ts"
import * as Print from "./Print.ts"

/**
 * @category commands
 */
export const run: Run<"payments reconcile"> = async ({ json, org, reconciledDays, secretsKeys, ...given }) => {
  const settings = { database: existing(given.database), secretsKeys, webhookAllow: undefined }
  keysRequired("payments reconcile", settings)
  const looked = await runProgram(Effect.scoped(
    Effect.gen(function*() {
      const domain = yield* domainOf(settings)
      return yield* Effect.gen(function*() {
        const { id } = yield* orgOf(org)
        const { look } = yield* Reconciliation
        const connections = yield* (yield* PaymentConnectionStore).list(id)
        const since = Instant.addMinutes(yield* moment, -reconciledDays * 24 * 60)
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
      `${happened} things happened at ${looked.length} accounts in ${reconciledDays} days; ${news} were new and are settled.`
    )
    if (failed > 0) Print.note(`${failed} could not be looked at; a worker looks again.`)
  }
  return failed === 0 ? 0 : 1
}
