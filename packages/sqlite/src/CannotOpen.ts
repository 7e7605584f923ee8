import * as Data from "effect/Data"
import { explainDriverError } from "./explainDriverError.ts"

/**
 * The file cannot be opened or is not a database, which is a configuration error. Or no file can be opened because
 * the driver does not work.
 */
export class CannotOpen extends Data.TaggedError("CannotOpen")<{
  readonly filename: string
  readonly cause: unknown
}> {
  override get message(): string {
    const driver = explainDriverError(this.cause)
    if (driver !== undefined) return `The SQLite driver better-sqlite3 does not work: ${driver}.`
    const reason = this.cause instanceof Error ? this.cause.message : String(this.cause)
    return `Cannot open the database ${JSON.stringify(this.filename)}: ${reason}`
  }

  /** A suggested fix. */
  get fix(): string {
    return explainDriverError(this.cause) === undefined
      ? "Check the path, the free disk space, and that this user can write to the folder, the file, and its -wal and -shm files. Restore a damaged file from a backup."
      : "Run: npm rebuild better-sqlite3 (it needs a C++ compiler and Python 3 if no prebuilt binary fits, and npm must be allowed to run its install script)."
  }
}
