import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { OrgStore } from "../org/Orgs.ts"
import {
  type ExecutedRequest,
  type IdempotentRequest,
  makeIdempotencyConflict,
  makeIdempotentRunner,
  makeResultDeletedRefusal
} from "../port/idempotency.ts"
import { Ids } from "../port/Ids.ts"
import { Secrets } from "../port/Secrets.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, notFound, type Refusal, refuse } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { getWebhookSecretLocation, type Webhook, WebhookSender, WebhookStore } from "./Webhook.ts"

/** An endpoint with its signing secret. */
export interface WebhookWithSecret {
  readonly webhook: Webhook
  readonly secret: string
}

export class Webhooks extends Context.Tag("@trailbook/core/Webhooks")<
  Webhooks,
  {
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<Webhook>>
    /**
     * Adds an endpoint for all later events and returns its signing secret. Repeating an idempotency key within 24
     * hours returns the secret again instead of adding a second endpoint, because a caller that lost the response has
     * no other way to read it.
     */
    readonly create: (input: {
      readonly orgId: string
      readonly url: string
      readonly events: ReadonlyArray<string>
      readonly keyed?: IdempotentRequest | undefined
      /** Runs in the transaction that adds the webhook. */
      readonly record?: (webhook: Webhook) => Effect.Effect<void>
    }) => Effect.Effect<WebhookWithSecret, Refusal<"invalid_request" | "webhook_limit" | "idempotency_conflict">>
    /** Removes a webhook. `record` runs in the same transaction. */
    readonly remove: (
      key: OrgKey,
      record?: (webhook: Webhook) => Effect.Effect<void>
    ) => Effect.Effect<void, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(Webhooks, Effect.suspend(() => makeWebhooks))
}

const makeWebhooks = Effect.gen(function*() {
  const ids = yield* Ids
  const orgs = yield* OrgStore
  const secrets = yield* Secrets
  const sender = yield* WebhookSender
  const store = yield* WebhookStore
  const { run } = yield* UnitOfWork
  const { known, make } = yield* makeIdempotentRunner

  const replay = ({ made, orgId }: ExecutedRequest) =>
    Effect.gen(function*() {
      const id = made.join()
      const webhook = Option.getOrUndefined(yield* store.find({ orgId, id }))
      if (webhook === undefined) return { isObsolete: true, result: makeResultDeletedRefusal("webhook", id) }
      const result = Effect.gen(function*() {
        if (Instant.addMinutes(webhook.createdAt, replayMinutes) < (yield* currentTime)) {
          return yield* refuseSecretReplay(id)
        }
        const secret = yield* secrets.open(webhook.sealedSecret, getWebhookSecretLocation(webhook))
        return { webhook, secret }
      })
      return { isObsolete: false, result }
    })

  return Webhooks.of({
    list: store.list,
    create: ({ events, orgId, url, keyed, record = () => Effect.void }) =>
      Effect.gen(function*() {
        // A repeated request succeeds even if the URL has become invalid.
        const repeatedResult = yield* known(keyed, replay)
        if (Option.isSome(repeatedResult)) return repeatedResult.value
        const objection = yield* sender.findUrlProblem(url)
        if (objection !== undefined) return yield* invalid(`url: ${objection}`)
        const id = ids.uuid()
        const secret = `whsec_${ids.token(secretCharacters)}`
        const sealedSecret = yield* secrets.seal(secret, getWebhookSecretLocation({ orgId, id }))
        const addWebhook = Effect.gen(function*() {
          // Lock the org, so that concurrent requests cannot exceed the limit.
          yield* orgs.lock(orgId)
          if ((yield* store.list(orgId)).length >= maxWebhooks) return yield* limitReached
          const webhook: Webhook = {
            id,
            orgId,
            url,
            events,
            active: true,
            sealedSecret,
            createdAt: yield* currentTime,
            lastStatus: null,
            lastError: null,
            lastAttemptAt: null
          }
          // Adding a webhook locks the org's event counter, which is last in the lock order.
          yield* record(webhook)
          yield* store.add(webhook)
          return { webhook, secret }
        })
        return yield* make(keyed, { createdIds: [id], make: addWebhook, replay })
      }),
    remove: (key, record = () => Effect.void) =>
      run(Effect.gen(function*() {
        const webhook = Option.getOrUndefined(yield* store.find(key))
        // Only one of two concurrent requests removes the row and records the removal.
        if (webhook === undefined || !(yield* store.remove(key))) return yield* notFound("webhook", key.id)
        yield* record(webhook)
      }))
  })
})

/** The number of base62 characters in a secret. Receivers that decode the secret as base64 get 33 bytes. */
const secretCharacters = 44

/** The number of minutes during which a repeated request returns the secret again. */
const replayMinutes = 24 * 60

const refuseSecretReplay = (id: string) =>
  makeIdempotencyConflict(
    `The webhook ${id} was created with this idempotency_key more than 24 hours ago. Its secret is not shown again. ` +
      "If the secret is lost, delete the webhook and create another with a new idempotency_key."
  )

/** The maximum number of endpoints per org. There is a limit because each endpoint gets a request for every event. */
const maxWebhooks = 20

const limitReached = refuse("webhook_limit", maxWebhooks)
