import { Failure } from "@trailbook/runtime/Failure"
import type { DatabaseUrl } from "@trailbook/runtime/setting/databaseUrl"
import { type Keys, parse } from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { CommandName } from "../setting/Setting.ts"
import { UsageError } from "../setting/UsageError.ts"
import { createKeyFile, keyFilePath } from "./keyFile.ts"

/** The source of the encryption keys for a database. */
export interface KeySettings {
  readonly database: DatabaseUrl
  /** The value of `TRAILBOOK_SECRETS_KEYS`. */
  readonly secretsKeys: string | undefined
}

/**
 * Loads the keys from the setting. On SQLite, the default is the key file, which is created if missing. On Postgres,
 * the setting is required, because servers on several machines need the same keys.
 */
export const loadKeys = ({ database, secretsKeys }: KeySettings): Effect.Effect<Keys, Failure | UsageError> =>
  Effect.try({
    try: () => {
      if (secretsKeys !== undefined) {
        return parseKeys(secretsKeys, (wrong) => new UsageError(`TRAILBOOK_SECRETS_KEYS is invalid: ${wrong}.`))
      }
      if (database._tag === "Postgres") throw new UsageError(keysMissing)
      const path = keyFilePath(database)
      return parseKeys(createKeyFile(path), (wrong) => new Failure(`The key file ${path} is invalid: ${wrong}.`))
    },
    catch: (error) => {
      if (error instanceof Failure || error instanceof UsageError) return error
      throw error
    }
  })

/**
 * Rejects a missing key setting on Postgres before anything is opened.
 *
 * @throws UsageError
 */
export const keysRequired = (command: CommandName, { database, secretsKeys }: KeySettings): void => {
  if (database._tag === "Postgres" && secretsKeys === undefined) throw new UsageError(keysMissing, command)
}

const keysMissing =
  "TRAILBOOK_SECRETS_KEYS is not set. Postgres requires encryption keys for the secrets of webhooks and " +
  "payment accounts. All processes that share a database must use the same keys. Generate a key with " +
  "trailbook secrets generate."

const parseKeys = (text: string, toError: (wrong: string) => Error): Keys => {
  const keys = parse(text)
  if (Either.isLeft(keys)) throw toError(keys.left)
  return keys.right
}
