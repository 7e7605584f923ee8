/**
 * Reading the settings of a command: a flag beats a variable, a variable beats
 * the default. An empty variable counts as not set, as shells leave them behind.
 */
import { closestMatch } from "./closestMatch.ts"
import type { CommandName, Setting } from "./Setting.ts"
import { type CommandSettings, commandSettings, rows } from "./settings.ts"

/**
 * @category models
 */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Something that was set wrongly, or not at all.
 *
 * @category models
 */
export interface Problem {
  /** `--port`, `TRAILBOOK_PORT`. */
  readonly where: string
  readonly message: string
}

/**
 * What was read. Where there is a problem, `values` has the default, or nothing.
 *
 * @category models
 */
export interface Read<C extends CommandName> {
  readonly values: CommandSettings<C>
  readonly problems: ReadonlyArray<Problem>
}

/**
 * @category reading
 */
export const read = <C extends CommandName>(
  command: C,
  flags: ReadonlyMap<string, string>,
  env: Environment
): Read<C> => {
  const problems: Array<Problem> = []
  const values = Object.fromEntries(
    commandSettings(command).map(([name, setting]) => {
      const given = find(setting, flags, env)
      if (given === undefined) {
        if (setting.otherwise === undefined) problems.push(missing(setting))
        return [name, setting.otherwise?.value]
      }
      const reading = setting.kind.read(given.text)
      if ("value" in reading) return [name, reading.value]
      const shown = setting.kind.secret === true ? "" : `; it is ${quoted(given.text)}`
      problems.push({ where: given.where, message: `${given.where} ${reading.must}${shown}.` })
      return [name, setting.otherwise?.value]
    })
  )
  // The table's rows give each name the value of its kind, which no index type can say.
  return { values: values as CommandSettings<C>, problems }
}

const find = (setting: Setting<unknown>, flags: ReadonlyMap<string, string>, env: Environment) => {
  const flag = flags.get(setting.flag)
  if (flag !== undefined) return { where: findSetting(setting), text: flag }
  for (const name of setting.env) {
    const text = env[name]
    if (text !== undefined && text !== "") return { where: name, text }
  }
  return undefined
}

/**
 * A setting as it is typed.
 *
 * @category getters
 */
export const findSetting = ({ flag, positional }: Setting<unknown>): string => positional ? `<${flag}>` : `--${flag}`

const missing = (setting: Setting<unknown>): Problem => {
  const or = setting.env.length === 0 ? "" : ` (or ${setting.env.join(", ")})`
  return { where: findSetting(setting), message: `${findSetting(setting)}${or} is missing; it ${mustBe(setting)}.` }
}

const mustBe = ({ kind }: Setting<unknown>): string => `must be ${kind.accepts}`

/** A value may have come from anywhere: what is shown of it is short and prints as text. */
const quoted = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

/**
 * The variables that look like ours and are not, each with the name that was
 * probably meant.
 *
 * @category reading
 */
export const unknownVariables = (env: Environment): ReadonlyArray<Problem> => {
  const known = new Set(rows.flatMap(([, setting]) => setting.env))
  const own = [...known].filter((name) => prefix.test(name)).map((name) => name.replace(prefix, ""))
  return Object.keys(env).filter((name) => prefix.test(name) && !known.has(name)).sort().map((name) => {
    // The prefix would make all names alike.
    const near = closestMatch(name.replace(prefix, ""), own)
    const meant = near === undefined ? undefined : `TRAILBOOK_${near}`
    return {
      where: name,
      message: `${name} is not a setting.${meant === undefined ? "" : ` Did you mean ${meant}?`}`
    }
  })
}

const prefix = /^TRAILBOOK_/i
