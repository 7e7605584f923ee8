import { generate } from "@trailbook/webhook/KeyRing"
import { randomUUID } from "node:crypto"
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { Failure } from "../command/CommandError.ts"
import type { SqliteFile } from "../setting/databaseUrl.ts"

/**
 * The file beside a SQLite database that its secrets are sealed with. Whoever has
 * both reads the secrets, so a backup of the database goes elsewhere than its keys.
 */
export const keyFilePath = ({ file }: SqliteFile): string => `${file}.keys`

/**
 * What the file says; `undefined` when it is not there.
 *
 * @throws Failure
 */
export const readKeyFile = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8").trim()
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined
    throw new Failure(`The keys in ${path} cannot be read: ${said(error)}. ${otherwise}`)
  }
}

/**
 * What the file says, after it was made with a new key if it was not there. Of
 * two that start at once both have the key of one.
 *
 * @throws Failure
 */
export const createKeyFile = (path: string): string => {
  const found = readKeyFile(path)
  if (found !== undefined) return found
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true })
    // A key must be on the disk before anything is sealed with it.
    writeFileSync(draft, `${generate()}\n`, { mode: 0o600, flag: "wx", flush: true })
    // Whole or not at all, and not over what another process has linked meanwhile.
    linkSync(draft, path)
    flushFolder(dirname(path))
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw new Failure(`The keys ${path} cannot be made: ${said(error)}. ${otherwise}`)
  } finally {
    rmSync(draft, { force: true })
  }
  const made = readKeyFile(path)
  if (made === undefined) throw new Failure(`The keys ${path} were taken away as soon as they were made. ${otherwise}`)
  return made
}

const flushFolder = (folder: string): void => {
  const opened = openSync(folder, "r")
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

const otherwise = "Correct that, or give the keys as TRAILBOOK_SECRETS_KEYS."

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code

const said = (error: unknown): string => error instanceof Error ? error.message : String(error)
