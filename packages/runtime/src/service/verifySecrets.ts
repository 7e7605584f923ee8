import { getConnectionSecretLocation, type PaymentConnection, PaymentConnectionStore } from "@trailbook/core/payment"
import { type SecretLocation, Secrets } from "@trailbook/core/port"
import { getWebhookSecretLocation, type Webhook, WebhookStore } from "@trailbook/core/webhook"
import { readKeyId } from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { OperatorError } from "../OperatorError.ts"

/** The number of secrets in the database, and how many of them are encrypted with a key other than the first. */
export interface SecretCounts {
  readonly secrets: number
  readonly older: number
}

/**
 * Decrypts every webhook and payment account secret, so that a server with a missing key fails at startup. With
 * `reseal`, secrets encrypted with older keys are re-encrypted with the first key, so that the older ones can be
 * removed.
 *
 * If the key for a disconnected account's secret is missing, the server still starts. The account's refunds are retried
 * until the key is available.
 */
export const verifySecrets = (
  options: { readonly reseal: boolean }
): Effect.Effect<SecretCounts, OperatorError, Secrets | WebhookStore | PaymentConnectionStore> =>
  Effect.gen(function*() {
    const webhooks = yield* WebhookStore
    const connections = yield* PaymentConnectionStore
    const { isCurrent, seal } = yield* Secrets
    let secrets = 0
    let older = 0
    /** Returns the encrypted secret to store. */
    const openAndReseal = (
      sealedSecret: string,
      place: SecretLocation,
      open: Effect.Effect<string, OperatorError, Secrets>
    ) =>
      Effect.gen(function*() {
        const secret = yield* open
        secrets++
        if (isCurrent(sealedSecret)) return sealedSecret
        older++
        return options.reseal ? yield* seal(secret, place) : sealedSecret
      })
    yield* forEachRow(webhooks.page, (webhook) =>
      Effect.gen(function*() {
        const sealedSecret = yield* openAndReseal(
          webhook.sealedSecret,
          getWebhookSecretLocation(webhook),
          decryptWebhookSecret(webhook)
        )
        if (sealedSecret !== webhook.sealedSecret) yield* webhooks.reseal(webhook, sealedSecret)
      }))
    yield* forEachRow(connections.page, (connection) =>
      Effect.gen(function*() {
        const sealCredential = (credential: "key" | "notices", text: string) =>
          openAndReseal(
            text,
            getConnectionSecretLocation(connection, credential),
            openCredential(connection, credential, text)
          )
        const { disconnectedAt, sealedKey, sealedNoticeSecret } = connection
        if (
          disconnectedAt !== null && Either.isLeft(yield* Effect.either(openCredential(connection, "key", sealedKey)))
        ) {
          return
        }
        const newSecrets = {
          sealedKey: yield* sealCredential("key", sealedKey),
          sealedNoticeSecret: sealedNoticeSecret === null ? null : yield* sealCredential("notices", sealedNoticeSecret)
        }
        const isSame = newSecrets.sealedKey === sealedKey && newSecrets.sealedNoticeSecret === sealedNoticeSecret
        if (!isSame) yield* connections.reseal(connection, newSecrets)
      }))
    return { secrets, older }
  })

/** Applies `handleRow` to all rows, page by page. */
const forEachRow = <Row extends { readonly id: string }, E, R>(
  readPage: (after: string, limit: number) => Effect.Effect<ReadonlyArray<Row>>,
  handleRow: (row: Row) => Effect.Effect<void, E, R>
) =>
  Effect.gen(function*() {
    let after = ""
    for (;;) {
      const page = yield* readPage(after, pageSize)
      yield* Effect.forEach(page, handleRow, { discard: true })
      after = page.at(-1)?.id ?? ""
      if (page.length < pageSize) return
    }
  })

/** Decrypts a webhook's secret. */
export const decryptWebhookSecret = (webhook: Webhook): Effect.Effect<string, OperatorError, Secrets> =>
  openSecret(
    { sealed: webhook.sealedSecret, place: getWebhookSecretLocation(webhook) },
    `The signing secret of webhook ${webhook.id}`,
    "delete the webhook and add it again"
  )

/** Decrypts a payment account's key or webhook secret. */
const openCredential = (connection: PaymentConnection, credential: "key" | "notices", sealedSecret: string) =>
  openSecret(
    { sealed: sealedSecret, place: getConnectionSecretLocation(connection, credential) },
    `The ${
      credential === "key" ? "key" : "webhook secret"
    } of the payment account ${connection.name} (${connection.accountId})`,
    "connect the account again with trailbook payments connect"
  )

const openSecret = (
  { place, sealed }: { readonly sealed: string; readonly place: SecretLocation },
  name: string,
  remedy: string
) =>
  Effect.flatMap(Secrets, ({ open }) => open(sealed, place)).pipe(
    Effect.catchAllDefect(() => {
      const id = readKeyId(sealed)
      return Effect.fail(
        new OperatorError(
          id === undefined
            ? `${name} is not encrypted. To replace it, ${remedy}.`
            // A different key with the same ID may be configured.
            : `${name} was encrypted with a key named ${id} that is not configured. Append that key to ` +
              `TRAILBOOK_SECRETS_KEYS, or restore the key file next to the database. Otherwise, ${remedy}.`
        )
      )
    })
  )

const pageSize = 500
