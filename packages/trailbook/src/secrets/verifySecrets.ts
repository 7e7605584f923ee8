import { connectionPlace, type PaymentConnection } from "@trailbook/core/payment/PaymentConnection"
import { PaymentConnectionStore } from "@trailbook/core/payment/PaymentConnectionStore"
import { type SecretPlace, Secrets } from "@trailbook/core/port/Secrets"
import { secretPlace, type Webhook } from "@trailbook/core/webhook/Webhook"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import { keyId } from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Failure } from "../command/CommandError.ts"

/** How many secrets there are, and how many of them are sealed with another key than the first. */
export interface LoadedSecrets {
  readonly secrets: number
  readonly older: number
}

/**
 * Opens every secret of webhooks and of connected payment accounts, so that a server
 * that lacks a key says so when it starts and not when something happens. Those that
 * are sealed with another key than the first it seals again when asked to, which
 * makes the other keys dispensable. An account that was disconnected keeps nobody
 * from starting: what has to go back through it is tried again until its key is there.
 */
export const verifySecrets = (
  options: { readonly reseal: boolean }
): Effect.Effect<LoadedSecrets, Failure, Secrets | WebhookStore | PaymentConnectionStore> =>
  Effect.gen(function*() {
    const webhooks = yield* WebhookStore
    const connections = yield* PaymentConnectionStore
    const { isCurrent, seal } = yield* Secrets
    let secrets = 0
    let older = 0
    /** The secret as it is to be stored. */
    const again = (sealed: string, place: SecretPlace, open: Effect.Effect<string, Failure, Secrets>) =>
      Effect.gen(function*() {
        const secret = yield* open
        secrets++
        if (isCurrent(sealed)) return sealed
        older++
        return options.reseal ? yield* seal(secret, place) : sealed
      })
    yield* eachOf(webhooks.page, (webhook) =>
      Effect.gen(function*() {
        const sealed = yield* again(webhook.sealedSecret, secretPlace(webhook), loadSecrets(webhook))
        if (sealed !== webhook.sealedSecret) yield* webhooks.reseal(webhook, sealed)
      }))
    yield* eachOf(connections.page, (connection) =>
      Effect.gen(function*() {
        const sealed = (which: "key" | "notices", text: string) =>
          again(text, connectionPlace(connection, which), openedOf(connection, which, text))
        const { disconnectedAt, sealedKey, sealedNoticeSecret } = connection
        if (disconnectedAt !== null && Either.isLeft(yield* Effect.either(openedOf(connection, "key", sealedKey)))) {
          return
        }
        const anew = {
          sealedKey: yield* sealed("key", sealedKey),
          sealedNoticeSecret: sealedNoticeSecret === null ? null : yield* sealed("notices", sealedNoticeSecret)
        }
        const isSame = anew.sealedKey === sealedKey && anew.sealedNoticeSecret === sealedNoticeSecret
        if (!isSame) yield* connections.reseal(connection, anew)
      }))
    return { secrets, older }
  })

/** All there are, in parts. */
const eachOf = <Row extends { readonly id: string }, E, R>(
  read: (after: string, limit: number) => Effect.Effect<ReadonlyArray<Row>>,
  use: (row: Row) => Effect.Effect<void, E, R>
) =>
  Effect.gen(function*() {
    let after = ""
    for (;;) {
      const page = yield* read(after, pageSize)
      yield* Effect.forEach(page, use, { discard: true })
      after = page.at(-1)?.id ?? ""
      if (page.length < pageSize) return
    }
  })

/** A webhook's secret, or what keeps it shut. */
export const loadSecrets = (webhook: Webhook): Effect.Effect<string, Failure, Secrets> =>
  openedAt(
    { sealed: webhook.sealedSecret, place: secretPlace(webhook) },
    `The signing secret of webhook ${webhook.id}`,
    "delete the webhook where it was added"
  )

/** A key of an account, or the secret of its notices. */
const openedOf = (connection: PaymentConnection, which: "key" | "notices", sealed: string) =>
  openedAt(
    { sealed, place: connectionPlace(connection, which) },
    `The ${
      which === "key" ? "key" : "notice secret"
    } of the payment account ${connection.name} (${connection.accountId})`,
    "connect the account anew where that key is: trailbook payments connect"
  )

const openedAt = (
  { place, sealed }: { readonly sealed: string; readonly place: SecretPlace },
  name: string,
  otherwise: string
) =>
  Effect.flatMap(Secrets, ({ open }) => open(sealed, place)).pipe(
    Effect.catchAllDefect(() => {
      const id = keyId(sealed)
      const why = id === undefined ? "is not a sealed one" : `was sealed with a key ${id} that this process lacks`
      return Effect.fail(
        new Failure(
          `${name} ${why}. Add that key to TRAILBOOK_SECRETS_KEYS, behind the first one, or the key file to its place ` +
            `beside the database; or ${otherwise}.`
        )
      )
    })
  )

const pageSize = 500
