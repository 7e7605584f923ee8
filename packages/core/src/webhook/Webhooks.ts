/**
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Key } from "../offering/OfferingStore.ts"
import { OrgStore } from "../org/OrgStore.ts"
import { Ids } from "../port/Ids.ts"
import { Secrets } from "../port/Secrets.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { conflict, invalid, notFound, type Refusal } from "../Refusal.ts"
import { moment } from "../time/moment.ts"
import { secretPlace, type Webhook } from "./Webhook.ts"
import { WebhookSender } from "./WebhookSender.ts"
import { WebhookStore } from "./WebhookStore.ts"

/**
 * @since 0.1.0
 * @category services
 */
export class Webhooks extends Context.Tag("@trailbook/core/Webhooks")<
  Webhooks,
  {
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Webhook>>
    /**
     * Adds an endpoint, which gets the events that are committed from then on, and
     * answers with its signing secret whole, this one time.
     */
    readonly create: (given: {
      readonly orgId: string
      readonly url: string
      readonly events: ReadonlyArray<string>
    }) => Effect.Effect<
      { readonly webhook: Webhook; readonly secret: string },
      Refusal<"invalid_request" | "webhook_limit">
    >
    readonly remove: (key: Key) => Effect.Effect<void, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function*() {
      const ids = yield* Ids
      const orgs = yield* OrgStore
      const secrets = yield* Secrets
      const sender = yield* WebhookSender
      const store = yield* WebhookStore
      const { run } = yield* UnitOfWork

      return Webhooks.of({
        list: store.list,
        create: ({ events, orgId, url }) =>
          Effect.gen(function*() {
            const objection = yield* sender.objection(url)
            if (objection !== undefined) return yield* invalid(`url: ${objection}`)
            const id = ids.uuid()
            const secret = `whsec_${ids.token(secretCharacters)}`
            const sealedSecret = yield* secrets.seal(secret, secretPlace({ orgId, id }))
            const webhook = yield* run(Effect.gen(function*() {
              // Two requests must not both take the last place.
              yield* orgs.lock(orgId)
              if ((yield* store.list(orgId)).length >= maxWebhooks) return yield* full
              const made: Webhook = {
                id,
                orgId,
                url,
                events,
                active: true,
                sealedSecret,
                createdAt: yield* moment,
                lastStatus: null,
                lastError: null,
                lastAttemptAt: null
              }
              yield* store.add(made)
              return made
            }))
            return { webhook, secret }
          }),
        remove: (key) => Effect.flatMap(store.remove(key), (was) => was ? Effect.void : notFound("webhook", key.id))
      })
    })
  )
}

/** In base62, and 33 whole bytes of base64 to those who read it so. */
const secretCharacters = 44

/** Each endpoint gets a request for every event: an org has so many at most. */
const maxWebhooks = 20

const full = conflict(
  "webhook_limit",
  `There are ${maxWebhooks} webhooks, which is as many as there may be. Delete one first.`
)
