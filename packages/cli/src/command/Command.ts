import type { Environment, SettingProblem } from "@trailbook/server/setting/readSettings"
import type { CommandName } from "@trailbook/server/setting/Setting"
import type { CommandSettings } from "@trailbook/server/setting/settings"

/** 0 means success, 1 a failure, 2 a usage error, and 3 a failed `doctor` check. */
export type ExitCode = 0 | 1 | 2 | 3

/** The inputs that a command receives in addition to its settings. */
export interface CommandContext {
  readonly env: Environment
  /** The problems with invalid settings. Only `doctor` still runs if there are any. */
  readonly problems: ReadonlyArray<SettingProblem>
}

/** Runs a command and returns its exit code. If it returns nothing, the exit code is 0. */
export type CommandRunner<C extends CommandName> = (
  settings: CommandSettings<C>,
  started: CommandContext
) => Promise<ExitCode | void>

export interface CommandExample {
  readonly line: string
  readonly description: string
}

export interface Command {
  readonly summary: string
  /** Each example has the arguments after the command name and a description of what the command does. */
  readonly examples: ReadonlyArray<readonly [rest: string, description: string]>
}
