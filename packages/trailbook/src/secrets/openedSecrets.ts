import { Secrets } from "@trailbook/core/port/Secrets"
import { secretPlace, type Webhook } from "@trailbook/core/webhook/Webhook"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import { keyId } from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import { Failure } from "../command/CommandError.ts"

/**
 * Opens the secret of every webhook, so that a server that lacks a key says so
 * when it starts and not when something happens. Says how many there are, and
 * how many of them are sealed with another key than the first. Those it seals
 * again when asked to, which makes the other keys dispensable.
 *
 * @category effects
 */
export const openedSecrets = (options: {
  readonly reseal: boolean
}): Effect.Effect<{ readonly secrets: number; readonly older: number }, Failure, Secrets | WebhookStore> =>
  Effect.gen(function*() {
    const store = yield* WebhookStore
    const { isCurrent, seal } = yield* Secrets
    let secrets = 0
    let older = 0
    let after = ""
    for (;;) {
      const page = yield* store.page(after, pageSize)
      for (const webhook of page) {
        const secret = yield* opened(webhook)
        secrets++
        after = webhook.id
        if (isCurrent(webhook.sealedSecret)) continue
        older++
        if (options.reseal) yield* store.reseal(webhook, yield* seal(secret, secretPlace(webhook)))
      }
      if (page.length < pageSize) return { secrets, older }
    }
  })

/**
 * A webhook's secret, or what keeps it shut.
 *
 * @category effects
 */
export const opened = (webhook: Webhook): Effect.Effect<string, Failure, Secrets> =>
  Effect.flatMap(Secrets, ({ open }) => open(webhook.sealedSecret, secretPlace(webhook))).pipe(
    Effect.catchAllDefect(() => {
      const id = keyId(webhook.sealedSecret)
      const sealed = id === undefined ? "is not a sealed one" : `was sealed with a key ${id} that this process lacks`
      return Effect.fail(
        new Failure(
          `The signing secret of webhook ${webhook.id} ${sealed}. Add that key to TRAILBOOK_SECRETS_KEYS, behind the ` +
            "first one, or the key file to its place beside the database; or delete the webhook where it was added."
        )
      )
    })
  )

const pageSize = 500
