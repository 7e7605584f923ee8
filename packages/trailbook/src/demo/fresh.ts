import * as Effect from "effect/Effect"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Failure } from "../command/CommandError.ts"
import { tillFileName } from "./till/TillFile.ts"
import { writing } from "./writing.ts"

/**
 * Deletes the demo in a folder, so that the next one begins again: its database, its
 * keys, what it and its till remember, its files, and the mails that it wrote. Nothing else in the folder
 * is touched, and nothing at all where no demo was.
 *
 * @category effects
 * @throws Failure where something cannot be deleted
 */
export const sweep = async (folder: string): Promise<void> => {
  if (!existsSync(folder)) return
  const { inUse } = await import("@trailbook/sqlite/inUse")
  if (await Effect.runPromise(inUse(join(folder, "demo.sqlite")))) {
    throw new Failure(`A demo is running on ${folder}.`, "End it first (Ctrl-C in its terminal), or leave --fresh out.")
  }
  writing(folder, () => {
    rmSync(join(folder, "demo.json"), { force: true })
    rmSync(join(folder, tillFileName), { force: true })
    sweepDatabase(join(folder, "demo.sqlite"))
    rmSync(join(folder, "files"), { recursive: true, force: true })
    const outbox = join(folder, "outbox")
    const mails = existsSync(outbox) ? readdirSync(outbox).filter((name) => mail.test(name)) : []
    for (const name of mails) rmSync(join(outbox, name), { force: true })
  })
}

/**
 * Deletes a database of the demo with what SQLite and the server keep beside it.
 *
 * @category effects
 */
export const sweepDatabase = (file: string): void => {
  for (const ending of ["", "-wal", "-shm", ".keys"]) rmSync(file + ending, { force: true })
}

/** As the outbox folder names what it writes. */
const mail = /^\d{4}[\dTZ.-]+-[a-z0-9-]+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.eml$/
