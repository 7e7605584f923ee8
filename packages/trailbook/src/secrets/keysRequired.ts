import { UsageError } from "../command/CommandError.ts"
import type { CommandName } from "../setting/Setting.ts"
import type { KeySettings } from "./keysOf.ts"

/**
 * @category messages
 */
export const keysMissing = "TRAILBOOK_SECRETS_KEYS is not set. It has the keys that secrets of webhooks and payment " +
  "accounts are sealed with, and is the same for every process on a database. Make one with: trailbook secrets generate"

/**
 * Refuses to start on Postgres without keys, before anything is opened.
 *
 * @category checking
 * @throws UsageError
 */
export const keysRequired = (command: CommandName, { database, secretsKeys }: KeySettings): void => {
  if (database._tag === "Postgres" && secretsKeys === undefined) throw new UsageError(keysMissing, command)
}
