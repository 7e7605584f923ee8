/** Command errors. `main` prints their messages on stderr without a stack trace. */

/** A usage error or an invalid setting. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError"
  /** The command whose help the message suggests. Undefined if the command is unknown. */
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super(message)
    this.command = command
  }
}

/** A failure of a valid command. The exit code is 1. */
export class Failure extends Error {
  override readonly name = "Failure"
  /** How to fix the failure. `main` prints it on its own line after the message. */
  readonly fix: string | undefined

  constructor(message: string, fix?: string) {
    super(message)
    this.fix = fix
  }
}
