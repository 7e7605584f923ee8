import * as Data from "effect/Data"

/**
 * Reports that the file cannot be opened or is not a database. Either the configuration is wrong, or the driver is
 * broken and cannot open any file.
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

  get fix(): string {
    return explainDriverError(this.cause) === undefined
      ? "Check that the path is correct, that the disk has free space, and that this user can write to the folder, the file, and its -wal and -shm files. If the file is damaged, restore it from a backup."
      : "Run: npm rebuild better-sqlite3 (npm must be allowed to run its install script, which needs a C++ compiler and Python 3 if no prebuilt binary matches)."
  }
}

/**
 * Returns why the driver does not work, or undefined for errors about a file. Either the driver's binary was not built,
 * for example because npm is not allowed to run install scripts, or it was built for another Node.js version or
 * machine.
 */
const explainDriverError = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  // Omit the rest of the message, which lists every path that was searched.
  if (error.message.startsWith("Could not locate the bindings file")) return "its native binary is not installed"
  const code = "code" in error ? error.code : undefined
  return code === "ERR_DLOPEN_FAILED" ? "its native binary was built for another Node version or platform" : undefined
}
