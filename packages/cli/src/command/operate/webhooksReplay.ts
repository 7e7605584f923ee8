import { EventLog } from "@trailbook/core/port"
import { WebhookStore } from "@trailbook/core/webhook"
import { storage } from "@trailbook/runtime/adapter"
import { Failure } from "@trailbook/runtime/Failure"
import * as Effect from "effect/Effect"
import { findEndpoint } from "../../database/endpoints.ts"
import { orgIdFromDetails } from "../../database/orgIdFromDetails.ts"
import { withDatabase } from "../../database/withDatabase.ts"
import type { Run } from "../Command.ts"
import * as Print from "../Print.ts"

export const run: Run<"webhooks replay"> = async ({ database, from, json, org: slugOrId, webhookId }) => {
  const { newest, webhook } = await withDatabase(database, storage, function*() {
    const org = yield* orgIdFromDetails(slugOrId)
    const webhook = yield* findEndpoint(org, webhookId)
    const [latest] = yield* (yield* EventLog).latest(org.id, 1)
    const newest = latest?.id ?? 0
    // A cursor past the newest event would skip future events.
    if (from > newest) {
      return yield* Effect.fail(new Failure(`--from must be at most ${newest}, the ID of the newest event.`))
    }
    yield* (yield* WebhookStore).rewind(webhook, from - 1)
    return { newest, webhook }
  })
  if (json) Print.json({ id: webhook.id, from, newest })
  else Print.line(`Deliveries to ${webhook.url} restart at event ${from}. The newest event is ${newest}.`)
}
