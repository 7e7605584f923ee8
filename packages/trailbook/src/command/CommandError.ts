/** Errors of commands. Their messages are printed on stderr without a stack trace. */

/** A usage error or an invalid setting. Exits with 2. */
export class UsageError extends Error {
  override readonly name = "UsageError"
  /** The command whose help is suggested. Undefined if the command is unknown. */
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super(message)
    this.command = command
  }
}

/** A valid command failed. Exits with 1. */
export class Failure extends Error {
  override readonly name = "Failure"
  /** How to fix the failure. Printed on its own line after the message. */
  readonly fix: string | undefined

  constructor(message: string, fix?: string) {
    super(message)
    this.fix = fix
  }
}
