/** A usage error or an invalid setting. The command line prints its message without a stack trace. */
export class UsageError extends Error {
  override readonly name = "UsageError"
  /** The command whose help the message suggests. Undefined if the command is unknown. */
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super(message)
    this.command = command
  }
}
