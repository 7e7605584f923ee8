import { resolve } from "node:path"
import { Failure } from "../command/CommandError.ts"

/**
 * Runs file operations in a directory and converts system errors to a readable `Failure`.
 *
 * @throws Failure
 */
export const withWriteErrors = <A>(folder: string, act: () => A): A => {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Error && "code" in error && typeof error.code === "string")) throw error
    throw new Failure(
      `The demo cannot write to the folder ${resolve(folder)}: ${reasons[error.code] ?? error.message}.`,
      "Start it in a folder that you may write to; it needs about 10 MB there."
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not",
  EPERM: "this user may not",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a file is in its place",
  EEXIST: "a file is in its place"
}
