import type { PaymentConnectionStore } from "@trailbook/core/payment/PaymentConnectionStore"
import type { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { statSync } from "node:fs"
import { Failure } from "../command/CommandError.ts"
import { keyFilePath, readKeyFile } from "../secrets/keyFile.ts"
import type { KeySettings } from "../secrets/loadKeys.ts"
import { verifySecrets } from "../secrets/verifySecrets.ts"
import { fault, type Finding, makePassed } from "./Finding.ts"

const check = "secrets"

/** Whether the keys that a server would have open every secret in the database. No key is made. */
export const secrets = (settings: KeySettings): Effect.Effect<Finding, never, WebhookStore | PaymentConnectionStore> =>
  Effect.suspend(() => {
    const found = loadKeyRing(settings)
    if (found === undefined) {
      return Effect.succeed(makePassed(check, "there are no keys yet; the first start makes one"))
    }
    if ("check" in found) return Effect.succeed(found)
    return verifySecrets({ reseal: false }).pipe(
      Effect.provide(KeyRing.layer(found)),
      Effect.match({
        onFailure: ({ message }) => fault(check, "a secret does not open", message),
        onSuccess: ({ older, secrets }) =>
          makePassed(
            check,
            `${secrets} open with ${found.map(({ id }) => id).join(", ")}` +
              (older === 0 ? "" : `; ${older} of another key than the first, until the next start`)
          )
      })
    )
  })

/** The keys, what is wrong with them, or `undefined` where a start would make one. */
export const loadKeyRing = ({ database, secretsKeys }: KeySettings): KeyRing.Keys | Finding | undefined => {
  if (secretsKeys !== undefined) return parsed(secretsKeys, "TRAILBOOK_SECRETS_KEYS")
  if (database._tag === "Postgres") {
    return fault(check, "TRAILBOOK_SECRETS_KEYS is not set", "Make a key with: trailbook secrets generate")
  }
  const path = keyFilePath(database)
  try {
    const text = readKeyFile(path)
    if (text === undefined) return undefined
    if ((statSync(path).mode & 0o077) !== 0) {
      return fault(check, `others on this machine may read ${path}`, `Run: chmod 600 ${path}`)
    }
    return parsed(text, path)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return fault(check, `${path} cannot be read`, error.message)
  }
}

const parsed = (text: string, from: string): KeyRing.Keys | Finding => {
  const keys = KeyRing.parse(text)
  return Either.isRight(keys)
    ? keys.right
    : fault(check, `${from} is wrong: ${keys.left}`, "Write k1:<base64> as trailbook secrets generate prints it.")
}
