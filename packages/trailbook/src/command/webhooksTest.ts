import { Deliveries } from "@trailbook/core/webhook/Deliveries"
import { outcomeOf } from "@trailbook/core/webhook/outcomeOf"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orgOf } from "../runtime/accounts.ts"
import { storage } from "../runtime/adapter.ts"
import { endpointOf } from "../runtime/endpoints.ts"
import { existing } from "../runtime/existing.ts"
import { runProgram } from "../runtime/runProgram.ts"
import { keysOf, keysRequired } from "../secrets/keysOf.ts"
import { opened } from "../secrets/openedSecrets.ts"
import { webhooksOf } from "../server/webhooksOf.ts"
import type { Run } from "./Command.ts"
import * as Print from "./Print.ts"

/**
 * @category commands
 */
export const run: Run<"webhooks test"> = async (
  { json, org: named, secretsKeys, webhookAllow, webhookId, ...given }
) => {
  const settings = { database: existing(given.database), secretsKeys }
  keysRequired("webhooks test", settings)
  const { ms, outcome, url } = await runProgram(
    Effect.gen(function*() {
      const webhook = yield* endpointOf(yield* orgOf(named), webhookId)
      const outside = webhooksOf(yield* keysOf(settings), webhookAllow ?? [])
      return yield* Effect.gen(function*() {
        // Said in words; a delivery would die of it.
        yield* opened(webhook)
        const [time, answer] = yield* Effect.timed((yield* Deliveries).test(webhook))
        return { ms: Math.round(Duration.toMillis(time)), outcome: outcomeOf(answer), url: webhook.url }
      }).pipe(Effect.provide(Layer.provideMerge(Deliveries.layer, outside)))
    }).pipe(Effect.provide(storage(settings.database)))
  )
  const taken = outcome._tag === "Taken"
  const error = taken ? null : outcome.fault
  if (json) Print.json({ ok: taken, status: outcome.status, error, ms })
  else {
    const said = error === null || error === "status" ? `answered ${outcome.status}` : `did not answer: ${error}`
    Print.line(`${url} ${said} after ${ms} ms.`)
  }
  return taken ? 0 : 1
}
