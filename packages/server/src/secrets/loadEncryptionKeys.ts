import { OperatorError } from "@trailbook/runtime/OperatorError"
import type { DatabaseUrl, SqliteFile } from "@trailbook/runtime/setting/databaseUrl"
import { generate, type Keys, parse } from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { randomUUID } from "node:crypto"
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { CommandName } from "../setting/Setting.ts"
import { UsageError } from "../setting/UsageError.ts"

/** The source of the encryption keys for a database. */
export interface EncryptionKeySettings {
  readonly database: DatabaseUrl
  /** The value of `TRAILBOOK_SECRETS_KEYS`. */
  readonly secretsKeys: string | undefined
}

/**
 * Loads the keys from the setting. On SQLite, the default is the key file, which is created if missing. On Postgres,
 * the setting is required, because servers on several machines need the same keys.
 */
export const loadEncryptionKeys = (
  { database, secretsKeys }: EncryptionKeySettings
): Effect.Effect<Keys, OperatorError | UsageError> =>
  Effect.try({
    try: () => {
      if (secretsKeys !== undefined) {
        return parseKeys(secretsKeys, (wrong) => new UsageError(`TRAILBOOK_SECRETS_KEYS is invalid: ${wrong}.`))
      }
      if (database._tag === "Postgres") throw new UsageError(keysMissing)
      const path = getKeyFilePath(database)
      return parseKeys(createKeyFile(path), (wrong) => new OperatorError(`The key file ${path} is invalid: ${wrong}.`))
    },
    catch: (error) => {
      if (error instanceof OperatorError || error instanceof UsageError) return error
      throw error
    }
  })

/**
 * Rejects a missing key setting on Postgres before anything is opened.
 *
 * @throws UsageError
 */
export const requireEncryptionKeys = (command: CommandName, { database, secretsKeys }: EncryptionKeySettings): void => {
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

/**
 * Returns the path of the key file next to a SQLite database. The database and the key file together reveal the
 * secrets, so back them up in different places.
 */
export const getKeyFilePath = ({ file }: SqliteFile): string => `${file}.keys`

/**
 * Reads the key file. Returns `undefined` if it does not exist.
 *
 * @throws OperatorError
 */
export const readKeyFile = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8").trim()
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined
    throw new OperatorError(`Cannot read the key file ${path}: ${messageOf(error)}. ${otherwise}`)
  }
}

/**
 * Reads the key file, or creates it with a new key if it does not exist. If two processes start concurrently, both end
 * up with the same key.
 *
 * @throws OperatorError
 */
export const createKeyFile = (path: string): string => {
  const existingText = readKeyFile(path)
  if (existingText !== undefined) return existingText
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true })
    // Flush the file, because the key must be on disk before it encrypts any secret.
    writeFileSync(draft, `${generate()}\n`, { mode: 0o600, flag: "wx", flush: true })
    // The link is atomic, and it fails if another process has already created the file.
    linkSync(draft, path)
    flushFolder(dirname(path))
  } catch (error) {
    if (!isCode(error, "EEXIST")) {
      throw new OperatorError(`Cannot create the key file ${path}: ${messageOf(error)}. ${otherwise}`)
    }
  } finally {
    rmSync(draft, { force: true })
  }
  const createdText = readKeyFile(path)
  if (createdText === undefined) {
    throw new OperatorError(`The key file ${path} was deleted right after it was created. ${otherwise}`)
  }
  return createdText
}

const flushFolder = (folder: string): void => {
  const descriptor = openSync(folder, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const otherwise = "Check the file and its folder, or set TRAILBOOK_SECRETS_KEYS."

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)
