import { classifyResponse, Deliveries } from "@trailbook/core/webhook"
import { storage } from "@trailbook/runtime/adapter"
import { loadSecrets } from "@trailbook/runtime/service/verifySecrets"
import { webhooksLayer } from "@trailbook/runtime/service/webhooksLayer"
import { runProgram } from "@trailbook/server/runProgram"
import { keysRequired, loadKeys } from "@trailbook/server/secrets/loadKeys"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { findEndpoint } from "../../database/endpoints.ts"
import { orgIdFromDetails } from "../../database/orgIdFromDetails.ts"
import { requireFile } from "../../database/requireFile.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"

export const run: Run<"webhooks test"> = async (
  { json, org: slugOrId, secretsKeys, webhookAllow, webhookId, ...rest }
) => {
  const settings = { database: requireFile(rest.database), secretsKeys }
  keysRequired("webhooks test", settings)
  const { ms, outcome, url } = await runProgram(
    Effect.gen(function*() {
      const webhook = yield* findEndpoint(yield* orgIdFromDetails(slugOrId), webhookId)
      const outside = webhooksLayer(yield* loadKeys(settings), webhookAllow ?? [])
      return yield* Effect.gen(function*() {
        // Fail with a readable error if the secret cannot be decrypted. The delivery itself would die with a defect.
        yield* loadSecrets(webhook)
        const [time, answer] = yield* Effect.timed((yield* Deliveries).test(webhook))
        return { ms: Math.round(Duration.toMillis(time)), outcome: classifyResponse(answer), url: webhook.url }
      }).pipe(Effect.provide(Layer.provideMerge(Deliveries.layer, outside)))
    }).pipe(Effect.provide(storage(settings.database)))
  )
  const isTaken = outcome._tag === "Taken"
  const error = isTaken ? null : outcome.fault
  if (json) Print.json({ ok: isTaken, status: outcome.status, error, ms })
  else {
    const result = error === null || error === "status" ? `responded with ${outcome.status}` : `failed with ${error}`
    Print.line(`${url} ${result} after ${ms} ms.`)
  }
  return isTaken ? 0 : 1
}
