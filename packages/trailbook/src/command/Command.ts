import type { Environment, Problem } from "../setting/read.ts"
import type { CommandName } from "../setting/Setting.ts"
import type { CommandSettings } from "../setting/settings.ts"

/**
 * 0 done, 1 failed, 2 typed wrong, 3 the doctor found a fault.
 *
 * @category models
 */
export type ExitCode = 0 | 1 | 2 | 3

/**
 * What a command is started with besides its settings.
 *
 * @category models
 */
export interface CommandContext {
  readonly env: Environment
  /** Settings with a value they cannot have. Only the doctor is started in spite of any. */
  readonly problems: ReadonlyArray<Problem>
}

/**
 * What ends without saying how is done.
 *
 * @category models
 */
export type Run<C extends CommandName> = (
  settings: CommandSettings<C>,
  started: CommandContext
) => Promise<ExitCode | void>

/**
 * @category models
 */
export interface Example {
  readonly line: string
  readonly does: string
}

/**
 * A command as help knows it.
 *
 * @category models
 */
export interface Command {
  readonly summary: string
  /** What follows the command's name, and what it does. */
  readonly examples: ReadonlyArray<readonly [rest: string, does: string]>
}
