import {
  getConnectionSecretLocation,
  type PaymentConnection,
  PaymentConnectionStore,
  PaymentProvider
} from "@trailbook/core/payment"
import { Secrets } from "@trailbook/core/port"
import type { EncryptionKeySettings } from "@trailbook/server/secrets/loadEncryptionKeys"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { loadKeyRing } from "./checkSecrets.ts"
import { type Finding, makeFailedFinding, makePassedFinding } from "./Finding.ts"

/**
 * Checks that payment account keys can be decrypted. This includes disconnected accounts, whose keys are still needed
 * for refunds. With `askPayments`, it also verifies connected accounts with their provider. If there are no accounts,
 * it reports nothing.
 */
export const checkPayments = (
  settings: EncryptionKeySettings & { readonly askPayments: boolean }
): Effect.Effect<ReadonlyArray<Finding>, never, PaymentConnectionStore | PaymentProvider> =>
  Effect.gen(function*() {
    const connections = yield* Effect.flatMap(PaymentConnectionStore, ({ page }) => page("", maxConnections))
    if (connections.length === 0) return []
    const keyRing = loadKeyRing(settings)
    if (keyRing === undefined) {
      return [
        makeFailedFinding(
          check,
          `${connections.length} encrypted account keys exist, but no encryption key is configured`,
          lostKeyFix
        )
      ]
    }
    if ("check" in keyRing) return []
    const faults = yield* Effect.forEach(
      connections,
      (connection) => examineConnection(connection, settings.askPayments)
    ).pipe(
      Effect.provide(KeyRing.layer(keyRing)),
      Effect.map((each) => each.flat())
    )
    if (faults.length > maxListed) {
      return [
        ...faults.slice(0, maxListed),
        makeFailedFinding(check, `${faults.length - maxListed} more faults`, connectionFix)
      ]
    }
    return faults.length > 0 ? faults : [makePassedFinding(check, formatSummary(connections, settings.askPayments))]
  })

const examineConnection = (connection: PaymentConnection, callsProvider: boolean) =>
  Effect.gen(function*() {
    const { account, accountId, disconnectedAt, name, sealedKey, sealedNoticeSecret } = connection
    const key = yield* openSecret(connection, "key", sealedKey)
    const noticeSecret = sealedNoticeSecret === null
      ? Option.some(null)
      : yield* openSecret(connection, "notices", sealedNoticeSecret)
    if (Option.isNone(key)) {
      return [makeFailedFinding(check, `the key of ${name} (${accountId}) cannot be decrypted`, lostKeyFix)]
    }
    if (Option.isNone(noticeSecret)) {
      return [makeFailedFinding(check, `the webhook secret of ${name} (${accountId}) cannot be decrypted`, lostKeyFix)]
    }
    if (!callsProvider || disconnectedAt !== null) return []
    const provider = yield* PaymentProvider
    const access = { key: key.value, noticeSecret: noticeSecret.value, account }
    const response = yield* Effect.either(Effect.timeoutOption(provider.account(access), "20 seconds"))
    if (response._tag === "Left") {
      return [makeFailedFinding(check, `${name} (${accountId}): ${response.left.message}`, connectionFix)]
    }
    if (Option.isNone(response.right)) {
      return [makeFailedFinding(check, `${name} (${accountId}): no response within 20 seconds`, connectionFix)]
    }
    const { id } = response.right.value
    return id === accountId
      ? []
      : [makeFailedFinding(check, `the key for ${accountId} belongs to a different account: ${id}`, connectionFix)]
  })

const openSecret = (connection: PaymentConnection, secretKind: "key" | "notices", sealedSecret: string) =>
  Effect.flatMap(Secrets, ({ open }) => open(sealedSecret, getConnectionSecretLocation(connection, secretKind))).pipe(
    Effect.map(Option.some),
    Effect.catchAllDefect(() => Effect.succeedNone)
  )

const formatSummary = (all: ReadonlyArray<PaymentConnection>, callsProvider: boolean): string => {
  const connected = all.filter(({ disconnectedAt }) => disconnectedAt === null)
  const testCount = connected.filter(({ mode }) => mode === "test").length
  const withoutWebhooks = connected.filter(({ sealedNoticeSecret }) => sealedNoticeSecret === null).length
  return `${connected.length} connected, ${all.length - connected.length} disconnected; all keys can be decrypted` +
    (callsProvider ? ", and each was verified with its provider" : "") +
    (testCount === 0 ? "" : `; ${testCount} with a test key`) +
    (withoutWebhooks === 0 ? "" : `; ${withoutWebhooks} without webhooks`)
}

const check = "payments"
const maxConnections = 100_000
const maxListed = 5

const lostKeyFix =
  "Append its encryption key to TRAILBOOK_SECRETS_KEYS, or restore the key file next to the database. Otherwise, " +
  "connect the account again with trailbook payments connect."
const connectionFix = "Check this machine's network access, or connect the account again with a valid key: " +
  "trailbook payments connect"
