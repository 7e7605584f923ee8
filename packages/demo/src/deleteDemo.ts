import { OperatorError } from "@trailbook/runtime/OperatorError"
import * as Effect from "effect/Effect"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { testPaymentFileName } from "./testPayments/TestPaymentFile.ts"

/**
 * Deletes the demo in a directory: its database, keys, state, test payments, files, and emails. Keeps other files. Does
 * nothing if the directory contains no demo.
 *
 * @throws Failure if a file cannot be deleted
 */
export const deleteDemo = async (folder: string): Promise<void> => {
  if (!existsSync(folder)) return
  const { isDatabaseInUse: isInUse } = await import("@trailbook/sqlite/isDatabaseInUse")
  if (await Effect.runPromise(isInUse(join(folder, "demo.sqlite")))) {
    throw new OperatorError(
      `A demo is already running in ${folder}.`,
      "Stop it first (Ctrl-C in its terminal), or omit --fresh."
    )
  }
  withWriteErrors(folder, () => {
    rmSync(join(folder, "demo.json"), { force: true })
    rmSync(join(folder, testPaymentFileName), { force: true })
    deleteDatabaseFiles(join(folder, "demo.sqlite"))
    rmSync(join(folder, "files"), { recursive: true, force: true })
    const outbox = join(folder, "outbox")
    const mails = existsSync(outbox) ? readdirSync(outbox).filter((name) => mail.test(name)) : []
    for (const name of mails) rmSync(join(outbox, name), { force: true })
  })
}

/** Deletes a demo database and the related SQLite and server files. */
export const deleteDatabaseFiles = (file: string): void => {
  for (const suffix of ["", "-wal", "-shm", ".keys"]) rmSync(file + suffix, { force: true })
}

/** Matches the file names in the outbox. */
const mail = /^\d{4}[\dTZ.-]+-[a-z0-9-]+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.eml$/

/**
 * Runs file operations in a directory and turns system errors into a readable `OperatorError`.
 *
 * @throws Failure
 */
export const withWriteErrors = <A>(folder: string, act: () => A): A => {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Error && "code" in error && typeof error.code === "string")) throw error
    throw new OperatorError(
      `The demo cannot write to the folder ${resolve(folder)}: ${reasons[error.code] ?? error.message}.`,
      "Start the demo in a writable folder with about 10 MB of free space."
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a file with this name already exists",
  EEXIST: "a file with this name already exists"
}
