import { Failure } from "@trailbook/runtime/Failure"
import * as Effect from "effect/Effect"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { testPaymentFileName } from "./testPayments/TestPaymentFile.ts"
import { withWriteErrors } from "./writeFiles.ts"

/**
 * Deletes the demo in a directory: its database, keys, state, test payments, files, and emails. Keeps other files. Does
 * nothing if the directory contains no demo.
 *
 * @throws Failure if a file cannot be deleted
 */
export const deleteDemo = async (folder: string): Promise<void> => {
  if (!existsSync(folder)) return
  const { isInUse } = await import("@trailbook/sqlite/isInUse")
  if (await Effect.runPromise(isInUse(join(folder, "demo.sqlite")))) {
    throw new Failure(
      `A demo is already running in ${folder}.`,
      "Stop it first (Ctrl-C in its terminal), or omit --fresh."
    )
  }
  withWriteErrors(folder, () => {
    rmSync(join(folder, "demo.json"), { force: true })
    rmSync(join(folder, testPaymentFileName), { force: true })
    sweepDatabase(join(folder, "demo.sqlite"))
    rmSync(join(folder, "files"), { recursive: true, force: true })
    const outbox = join(folder, "outbox")
    const mails = existsSync(outbox) ? readdirSync(outbox).filter((name) => mail.test(name)) : []
    for (const name of mails) rmSync(join(outbox, name), { force: true })
  })
}

/** Deletes a demo database and the related SQLite and server files. */
export const sweepDatabase = (file: string): void => {
  for (const suffix of ["", "-wal", "-shm", ".keys"]) rmSync(file + suffix, { force: true })
}

/** Matches the file names in the outbox. */
const mail = /^\d{4}[\dTZ.-]+-[a-z0-9-]+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.eml$/
