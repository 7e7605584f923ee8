import type { Org } from "@trailbook/core/org/Org"
import { type Webhook, WebhookStore } from "@trailbook/core/webhook"
import { Failure } from "@trailbook/runtime/Failure"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Finds an org's webhook by ID. */
export const findEndpoint = (org: Org, id: string): Effect.Effect<Webhook, Failure, WebhookStore> =>
  Effect.gen(function*() {
    const webhook = yield* (yield* WebhookStore).find({ orgId: org.id, id: id.toLowerCase() })
    if (Option.isSome(webhook)) return webhook.value
    return yield* Effect.fail(
      new Failure(`${org.name} has no webhook ${JSON.stringify(id)}. List its webhooks with trailbook webhooks list.`)
    )
  })
