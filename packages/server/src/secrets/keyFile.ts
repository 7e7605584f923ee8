import { Failure } from "@trailbook/runtime/Failure"
import type { SqliteFile } from "@trailbook/runtime/setting/databaseUrl"
import { generate } from "@trailbook/webhook/KeyRing"
import { randomUUID } from "node:crypto"
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Returns the path of the key file next to a SQLite database. The database and the key file together reveal the
 * secrets, so back them up in different places.
 */
export const keyFilePath = ({ file }: SqliteFile): string => `${file}.keys`

/**
 * Reads the key file. Returns `undefined` if it does not exist.
 *
 * @throws Failure
 */
export const readKeyFile = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8").trim()
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined
    throw new Failure(`Cannot read the key file ${path}: ${messageOf(error)}. ${otherwise}`)
  }
}

/**
 * Reads the key file, or creates it with a new key if it does not exist. If two processes start concurrently, both end
 * up with the same key.
 *
 * @throws Failure
 */
export const createKeyFile = (path: string): string => {
  const existingText = readKeyFile(path)
  if (existingText !== undefined) return existingText
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true })
    // Flush the file, because the key must be on disk before it encrypts any secret.
    writeFileSync(draft, `${generate()}\n`, { mode: 0o600, flag: "wx", flush: true })
    // The link is atomic, and it fails if another process has created the file.
    linkSync(draft, path)
    flushFolder(dirname(path))
  } catch (error) {
    if (!isCode(error, "EEXIST")) {
      throw new Failure(`Cannot create the key file ${path}: ${messageOf(error)}. ${otherwise}`)
    }
  } finally {
    rmSync(draft, { force: true })
  }
  const createdText = readKeyFile(path)
  if (createdText === undefined) {
    throw new Failure(`The key file ${path} was deleted right after it was created. ${otherwise}`)
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
