/**
 * How a command ends when it does not succeed. Both carry a message for people,
 * printed on stderr without a stack: what happened, and what to do.
 */

/**
 * The command was typed wrong, or a setting cannot have its value: exit 2.
 *
 * @category errors
 */
export class UsageError extends Error {
  override readonly name = "UsageError"
  /** The command whose help would have helped, if it got that far. */
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super(message)
    this.command = command
  }
}

/**
 * The command was understood and could not be done: exit 1.
 *
 * @category errors
 */
export class Failure extends Error {
  override readonly name = "Failure"
  /** What to do, where the message does not say so itself. */
  readonly fix: string | undefined

  constructor(message: string, fix?: string) {
    super(message)
    this.fix = fix
  }
}
