import type { PaymentConnectionStore } from "@trailbook/core/payment"
import type { WebhookStore } from "@trailbook/core/webhook"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import { verifySecrets } from "@trailbook/runtime/service/verifySecrets"
import { type EncryptionKeySettings, getKeyFilePath, readKeyFile } from "@trailbook/server/secrets/loadEncryptionKeys"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { statSync } from "node:fs"
import { type Finding, makeFailedFinding, makePassedFinding } from "./Finding.ts"

const check = "secrets"

/** Checks that a server's keys can decrypt every secret in the database. Does not create the key file. */
export const checkSecrets = (
  settings: EncryptionKeySettings
): Effect.Effect<Finding, never, WebhookStore | PaymentConnectionStore> =>
  Effect.suspend(() => {
    const keyRing = loadKeyRing(settings)
    if (keyRing === undefined) {
      return Effect.succeed(makePassedFinding(check, "no key file exists yet. The first start creates it."))
    }
    if ("check" in keyRing) return Effect.succeed(keyRing)
    return verifySecrets({ reseal: false }).pipe(
      Effect.provide(KeyRing.layer(keyRing)),
      Effect.match({
        onFailure: ({ message }) => makeFailedFinding(check, "a secret cannot be decrypted", message),
        onSuccess: ({ older, secrets }) =>
          makePassedFinding(
            check,
            `${secrets} decrypted with ${keyRing.map(({ id }) => id).join(", ")}` +
              (older === 0 ? "" : `; ${older} use an older key and will be re-encrypted at the next start`)
          )
      })
    )
  })

/**
 * Returns the keys, or a fault if they cannot be loaded. Returns `undefined` if a server would create the key file at
 * startup.
 */
export const loadKeyRing = ({ database, secretsKeys }: EncryptionKeySettings): KeyRing.Keys | Finding | undefined => {
  if (secretsKeys !== undefined) return parseKeys(secretsKeys, "TRAILBOOK_SECRETS_KEYS")
  if (database._tag === "Postgres") {
    return makeFailedFinding(
      check,
      "TRAILBOOK_SECRETS_KEYS is not set",
      "Generate a key with trailbook secrets generate."
    )
  }
  const path = getKeyFilePath(database)
  try {
    const text = readKeyFile(path)
    if (text === undefined) return undefined
    if ((statSync(path).mode & 0o077) !== 0) {
      return makeFailedFinding(check, `other users on this machine can read ${path}`, `Run: chmod 600 ${path}`)
    }
    return parseKeys(text, path)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return makeFailedFinding(check, `${path} is not readable`, error.message)
  }
}

const parseKeys = (text: string, source: string): KeyRing.Keys | Finding => {
  const keys = KeyRing.parse(text)
  return Either.isRight(keys)
    ? keys.right
    : makeFailedFinding(
      check,
      `${source} is invalid: ${keys.left}`,
      "Use the format that trailbook secrets generate prints: k1:<base64>."
    )
}
