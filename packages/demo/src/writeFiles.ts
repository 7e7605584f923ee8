import { Failure } from "@trailbook/runtime/Failure"
import { resolve } from "node:path"

/**
 * Runs file operations in a directory and turns system errors into a readable `Failure`.
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
