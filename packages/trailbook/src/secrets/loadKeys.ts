import { type Keys, parse } from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Failure, UsageError } from "../command/CommandError.ts"
import type { DatabaseUrl } from "../setting/databaseUrl.ts"
import type { CommandName } from "../setting/Setting.ts"
import { createKeyFile, keyFilePath } from "./keyFile.ts"

/** Where the keys come from that a database's secrets are sealed with. */
export interface KeySettings {
  readonly database: DatabaseUrl
  /** As `TRAILBOOK_SECRETS_KEYS` has them. */
  readonly secretsKeys: string | undefined
}

/**
 * The keys that were set or, for a SQLite file, those of the file beside it, which
 * is made when it is not there. Servers on Postgres run on many machines, which
 * have to have the same keys, so there they must be set.
 */
export const loadKeys = ({ database, secretsKeys }: KeySettings): Effect.Effect<Keys, Failure | UsageError> =>
  Effect.try({
    try: () => {
      if (secretsKeys !== undefined) {
        return read(secretsKeys, (wrong) => new UsageError(`The keys of TRAILBOOK_SECRETS_KEYS are wrong: ${wrong}.`))
      }
      if (database._tag === "Postgres") throw new UsageError(keysMissing)
      const path = keyFilePath(database)
      return read(createKeyFile(path), (wrong) => new Failure(`The keys in ${path} are wrong: ${wrong}.`))
    },
    catch: (error) => {
      if (error instanceof Failure || error instanceof UsageError) return error
      throw error
    }
  })

/**
 * Refuses to start on Postgres without keys, before anything is opened.
 *
 * @throws UsageError
 */
export const keysRequired = (command: CommandName, { database, secretsKeys }: KeySettings): void => {
  if (database._tag === "Postgres" && secretsKeys === undefined) throw new UsageError(keysMissing, command)
}

const keysMissing = "TRAILBOOK_SECRETS_KEYS is not set. It has the keys that secrets of webhooks and payment " +
  "accounts are sealed with, and is the same for every process on a database. Make one with: trailbook secrets generate"

const read = (text: string, refused: (wrong: string) => Error): Keys => {
  const keys = parse(text)
  if (Either.isLeft(keys)) throw refused(keys.left)
  return keys.right
}
