import { OperatorError } from "@trailbook/runtime/OperatorError"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import process from "node:process"
import { tripKeys } from "./season.ts"

/**
 * The file that stores the demo's state, next to its database. It contains the API key, because the database stores
 * only a digest. Only the owner can read the file.
 */
export interface DemoFile extends Schema.Schema.Type<typeof file> {}

const file = Schema.Struct({
  api_key: Schema.String,
  org_id: Schema.String,
  /** The offering that the banner shows first. */
  offering_id: Schema.String,
  /** The IDs of the offerings. The demo finds an offering by its ID, because a user may rename it. */
  offerings: Schema.Record({ key: Schema.Literal(...tripKeys), value: Schema.String }),
  seed: Schema.Number,
  /** The time when the demo was created. Its date is day 0 of the calendar. */
  made_at: Schema.String,
  /** The last date for which all events are in the database, such as 2026-11-21. */
  told_until: Schema.String
})

const decodeFile = Schema.decodeUnknownOption(Schema.parseJson(file))

/**
 * Reads the file. Returns `undefined` if it does not exist. The demo writes this file last, so it is also missing if
 * the creation was interrupted.
 *
 * @throws OperatorError if the file is unreadable or invalid
 */
export const readDemoFile = (path: string): DemoFile | undefined => {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) {
      return undefined
    }
    throw new OperatorError(`Could not read ${path}: ${String(error)}`)
  }
  return Option.getOrThrowWith(
    decodeFile(text),
    () => new OperatorError(`${path} is not compatible with this version of the demo.`, "Start over with --fresh.")
  )
}

/** Writes the file atomically. Only its owner can read it. */
export const writeDemoFile = (path: string, file: DemoFile): void => {
  const draft = `${path}.${process.pid}.tmp`
  writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, path)
}
