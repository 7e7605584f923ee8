import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import process from "node:process"
import { Failure } from "../command/CommandError.ts"
import { trips } from "./season.ts"

/**
 * What the demo remembers of itself beside its database. The key is here because
 * the database has its digest only; so the file is for its owner's eyes.
 */
export interface DemoFile extends Schema.Schema.Type<typeof file> {}

const file = Schema.Struct({
  api_key: Schema.String,
  org_id: Schema.String,
  /** The offering to look at first. */
  offering_id: Schema.String,
  /** Its offerings, which may have other names by now. */
  offerings: Schema.Record({ key: Schema.Literal(...trips), value: Schema.String }),
  seed: Schema.Number,
  /** When the story was told; its dates count from here. */
  made_at: Schema.String,
  /** The last date of which everything is told, such as 2026-11-21. */
  told_until: Schema.String
})

const read = Schema.decodeUnknownOption(Schema.parseJson(file))

/**
 * Reads it; `undefined` when there is none. It is written last, so there is none
 * either when making the demo was broken off.
 *
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
  return Option.getOrThrowWith(
    read(text),
    () => new Failure(`${path} is not what this version of the demo wrote.`, "Start over with --fresh.")
  )
}

/** Writes it whole or not at all, readable by its owner alone. */
export const writeDemoFile = (path: string, file: DemoFile): void => {
  const draft = `${path}.${process.pid}.tmp`
  writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, path)
}
