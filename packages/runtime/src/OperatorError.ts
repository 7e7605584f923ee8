/** A failure that the operator can fix. The command line prints its message without a stack trace. */
export class OperatorError extends Error {
  override readonly name = "OperatorError"
  /** How to fix the failure. The command line prints this on its own line after the message. */
  readonly fix: string | undefined

  constructor(message: string, fix?: string) {
    super(message)
    this.fix = fix
  }
}
