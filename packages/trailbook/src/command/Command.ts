import type { Environment, Problem } from "../setting/read.ts"
import type { CommandName } from "../setting/Setting.ts"
import type { CommandSettings } from "../setting/settings.ts"

/** 0 success, 1 failure, 2 usage error, 3 a check of `doctor` failed. */
export type ExitCode = 0 | 1 | 2 | 3

/** The context of a command in addition to its settings. */
export interface CommandContext {
  readonly env: Environment
  /** Invalid settings. Only `doctor` runs despite them. */
  readonly problems: ReadonlyArray<Problem>
}

/** A command that returns no exit code exits with 0. */
export type Run<C extends CommandName> = (
  settings: CommandSettings<C>,
  started: CommandContext
) => Promise<ExitCode | void>

export interface Example {
  readonly line: string
  readonly does: string
}

export interface Command {
  readonly summary: string
  /** The arguments after the command name, and a description. */
  readonly examples: ReadonlyArray<readonly [rest: string, does: string]>
}
