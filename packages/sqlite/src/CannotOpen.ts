import * as Data from "effect/Data"
import { explainDriverError } from "./explainDriverError.ts"

/**
 * The file cannot be opened, or is no database: a matter of the configuration. Or
 * no file could be, for want of a driver that works.
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

  /** What to do about it. */
  get fix(): string {
    return explainDriverError(this.cause) === undefined
      ? "Check the path, that the disk has room, and that this user may write to the folder, the file and those beside it (-wal, -shm); a damaged file is replaced by its backup."
      : "Run: npm rebuild better-sqlite3 (it needs a C++ compiler and Python 3 where no prebuilt binary fits, and npm must be allowed to run its install script)."
  }
}
