import { readFileSync, renameSync, writeFileSync } from "node:fs"
import process from "node:process"
import { Failure } from "../command/CommandError.ts"
import type { Trip } from "./season.ts"

/**
 * What the demo remembers of itself beside its database. The key is here because
 * the database has its digest only; so the file is for its owner's eyes.
 *
 * @category models
 */
export interface DemoFile {
  readonly api_key: string
  readonly org_id: string
  /** The offering to look at first. */
  readonly offering_id: string
  /** Its offerings, which may have other names by now. */
  readonly offerings: Readonly<Record<Trip, string>>
  readonly seed: number
  /** When the story was told; its dates count from here. */
  readonly made_at: string
  /** The last date of which everything is told, such as 2026-11-21. */
  readonly told_until: string
}

/**
 * Reads it; `undefined` when there is none. It is written last, so there is none
 * either when making the demo was broken off.
 *
 * @category reading
 * @throws Failure when there is something else in its place
 */
export const readDemoFile = (path: string): DemoFile | undefined => {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) {
      return undefined
    }
    throw new Failure(`${path} cannot be read: ${String(error)}`)
  }
  const found = parsed(text)
  if (found === undefined) {
    throw new Failure(`${path} is not what this version of the demo wrote.`, "Start over with --fresh.")
  }
  return found
}

const parsed = (text: string): DemoFile | undefined => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const whole = typeof value === "object" && value !== null &&
    names.every(([name, type]) => typeof Reflect.get(value, name) === type)
  return whole ? value as DemoFile : undefined
}

const names = [
  ["api_key", "string"],
  ["org_id", "string"],
  ["offering_id", "string"],
  ["seed", "number"],
  ["made_at", "string"],
  ["told_until", "string"],
  ["offerings", "object"]
] as const

/**
 * Writes it whole or not at all, readable by its owner alone.
 *
 * @category writing
 */
export const writeDemoFile = (path: string, file: DemoFile): void => {
  const draft = `${path}.${process.pid}.tmp`
  writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, path)
}
