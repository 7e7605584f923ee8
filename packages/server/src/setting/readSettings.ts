/**
 * Reads a command's settings. A flag takes precedence over a variable, and a variable over the default. An empty
 * variable counts as not set.
 */
import { findClosestMatch } from "./findClosestMatch.ts"
import type { CommandName, Setting } from "./Setting.ts"
import { type CommandSettings, listCommandSettings, settingEntries } from "./settings.ts"

export type Environment = Readonly<Record<string, string | undefined>>

/** An invalid or missing setting. */
export interface SettingProblem {
  /** The flag or variable that contains the value, such as `--port` or `TRAILBOOK_PORT`. */
  readonly settingSource: string
  readonly message: string
}

/** The values and the problems. If a setting has a problem, its value is the default or `undefined`. */
export interface SettingsResult<C extends CommandName> {
  readonly values: CommandSettings<C>
  readonly problems: ReadonlyArray<SettingProblem>
}

export const readSettings = <C extends CommandName>(
  command: C,
  flags: ReadonlyMap<string, string>,
  env: Environment
): SettingsResult<C> => {
  const problems: Array<SettingProblem> = []
  const values = Object.fromEntries(
    listCommandSettings(command).map(([name, setting]) => {
      const input = findInput(setting, flags, env)
      if (input === undefined) {
        if (setting.otherwise === undefined) problems.push(missingProblem(setting))
        return [name, setting.otherwise?.value]
      }
      const result = setting.kind.read(input.text)
      if ("value" in result) return [name, result.value]
      const suffix = setting.kind.secret === true ? "" : `, but is ${quote(input.text)}`
      problems.push({ settingSource: input.where, message: `${input.where} ${result.must}${suffix}.` })
      return [name, setting.otherwise?.value]
    })
  )
  // The cast is needed because each name has the value type of its row, which an index type cannot express.
  return { values: values as CommandSettings<C>, problems }
}

const findInput = (setting: Setting<unknown>, flags: ReadonlyMap<string, string>, env: Environment) => {
  const flag = flags.get(setting.flag)
  if (flag !== undefined) return { where: formatSettingName(setting), text: flag }
  for (const name of setting.env) {
    const text = env[name]
    if (text !== undefined && text !== "") return { where: name, text }
  }
  return undefined
}

/** Formats a setting as typed on the command line. */
export const formatSettingName = ({ flag, positional }: Setting<unknown>): string =>
  positional ? `<${flag}>` : `--${flag}`

const missingProblem = (setting: Setting<unknown>): SettingProblem => {
  const alternatives = setting.env.length === 0 ? "" : ` (or ${setting.env.join(", ")})`
  return {
    settingSource: formatSettingName(setting),
    message: `${formatSettingName(setting)}${alternatives} is required and ${formatRequirement(setting)}.`
  }
}

const formatRequirement = ({ kind }: Setting<unknown>): string => `must be ${kind.accepts}`

/** Shortens and escapes an untrusted value for a message. */
const quote = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** Finds unknown variables that start with `TRAILBOOK_`, each with the closest known name. */
export const findUnknownVariables = (env: Environment): ReadonlyArray<SettingProblem> => {
  const knownNames = new Set(settingEntries.flatMap(([, setting]) => setting.env))
  const shortNames = [...knownNames].filter((name) => prefix.test(name)).map((name) => name.replace(prefix, ""))
  return Object.keys(env).filter((name) => prefix.test(name) && !knownNames.has(name)).sort().map((name) => {
    // Compare the names without their common prefix, which would make them all look similar.
    const closestName = findClosestMatch(name.replace(prefix, ""), shortNames)
    const suggestion = closestName === undefined ? undefined : `TRAILBOOK_${closestName}`
    return {
      settingSource: name,
      message: `${name} is not a setting.${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`}`
    }
  })
}

const prefix = /^TRAILBOOK_/i
