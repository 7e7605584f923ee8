/**
 * Parses a command line into a command and its flags. Flags can appear anywhere. Flag values are validated later, in
 * `readSettings`.
 */
import { findClosestMatch } from "@trailbook/server/setting/findClosestMatch"
import { type CommandName, commandNames } from "@trailbook/server/setting/Setting"
import { listCommandSettings, settingEntries } from "@trailbook/server/setting/settings"
import { UsageError } from "@trailbook/server/setting/UsageError"
import { parseArgs } from "node:util"

export type ParsedArguments =
  | { readonly _tag: "Version" }
  /** `topic` is a command or the first word of a command group. It is empty for help on all commands. */
  | { readonly _tag: "Help"; readonly topic: string }
  | { readonly _tag: "Call"; readonly command: CommandName; readonly flags: ReadonlyMap<string, string> }

const globalOptions = { help: { type: "boolean", short: "h" }, version: { type: "boolean" } } as const

const options = {
  ...Object.fromEntries(
    settingEntries.filter(([, { positional }]) => !positional).map((
      [, { flag, kind }]
    ) => [flag, { type: kind.placeholder === null ? "boolean" as const : "string" as const }])
  ),
  ...globalOptions
}

/**
 * @throws UsageError
 */
export const parseArguments = (argv: ReadonlyArray<string>): ParsedArguments => {
  // Do not use strict mode. It throws on the first unknown flag, without the context that a suggestion needs.
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true })
  const words = tokens.flatMap((token) => token.kind === "positional" ? [token.value] : [])
  const flags = tokens.filter((token) => token.kind === "option")
  const flagNames = new Set(flags.map(({ name }) => name))
  if (flagNames.has("version")) return { _tag: "Version" }
  if (words.length === 0 && (flagNames.has("help") || flags.length === 0)) return { _tag: "Help", topic: "" }

  const { command, group, rest } = findCommand(words)
  if (flagNames.has("help")) return { _tag: "Help", topic: command ?? group }
  if (command === undefined) throw new UsageError(formatIncompleteCommand(group), group)
  const values = new Map<string, string>()
  for (const flag of flags) values.set(flag.name, readFlagValue(command, flag))
  assignPositional(command, rest, values)
  return { _tag: "Call", command, flags: values }
}

/** Finds the longest command that the words start with. `command` is undefined for a group such as `keys`. */
const findCommand = (words: ReadonlyArray<string>) => {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(" ")
    const command = commandNames.find((candidate) => candidate === name)
    if (command !== undefined) return { command, group: command, rest: words.slice(length) }
  }
  const [group = ""] = words
  if (listCommands(group).length === 0) throw new UsageError(formatUnknownCommand(group, listFirstWords()))
  const [, verb] = words
  if (verb !== undefined) throw new UsageError(formatUnknownCommand(`${group} ${verb}`, listCommands(group)), group)
  return { command: undefined, group, rest: [] }
}

const listCommands = (group: string) => commandNames.filter((name) => name.startsWith(`${group} `))
const listFirstWords = () => new Set(commandNames.map((name) => name.split(" ", 1).join()))

const formatUnknownCommand = (input: string, names: Iterable<string>): string => {
  if (input === "") return "Missing command."
  const suggestion = findClosestMatch(input, names) ?? findClosestMatch(input, commandNames)
  return `Unknown command ${JSON.stringify(input)}.${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`}`
}

const formatIncompleteCommand = (group: string): string =>
  `Incomplete command ${JSON.stringify(group)}. Commands: ${listCommands(group).join(", ")}.`

interface Flag {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

const readFlagValue = (command: CommandName, { inlineValue, name, rawName, value }: Flag): string => {
  const ownSettings = listCommandSettings(command).filter(([, { positional }]) => !positional).map(([, setting]) =>
    setting
  )
  const setting = ownSettings.find(({ flag }) => flag === name)
  if (setting === undefined) {
    throw new UsageError(formatUnknownFlag(command, rawName, name, ownSettings.map(({ flag }) => flag)), command)
  }
  if (setting.kind.placeholder === null) {
    if (inlineValue === true) throw new UsageError(`--${name} takes no value.`, command)
    return "true"
  }
  // Treat a value that starts with "--" as a flag. In "--port -1", the value is still -1, which is out of range.
  const isFlag = value !== undefined && inlineValue !== true && value.startsWith("--")
  if (value === undefined || isFlag) {
    throw new UsageError(`--${name} requires a value: ${setting.kind.accepts}.`, command)
  }
  return value
}

const formatUnknownFlag = (
  command: CommandName,
  rawName: string,
  name: string,
  ownFlags: ReadonlyArray<string>
): string => {
  const otherCommands = settingEntries.filter(([, { flag, positional }]) => flag === name && !positional)
    .flatMap(([, { commands }]) => commands)
  if (otherCommands.length > 0) {
    return `${command} has no flag ${rawName}. The flag belongs to ${otherCommands.join(", ")}.`
  }
  const suggestion = findClosestMatch(name, [...ownFlags, ...Object.keys(globalOptions)])
  return `${command} has no flag ${rawName}.${suggestion === undefined ? "" : ` Did you mean --${suggestion}?`}`
}

/** Assigns the remaining words to the command's positional setting. */
const assignPositional = (command: CommandName, words: ReadonlyArray<string>, values: Map<string, string>): void => {
  if (words.length === 0) return
  const setting = listCommandSettings(command).find(([, { positional }]) => positional)?.[1]
  // The topic of `help` is a command with one or two words.
  const maxWords = command === "help" ? 2 : 1
  const extra = setting === undefined ? words[0] : words[maxWords]
  if (setting === undefined || extra !== undefined) {
    throw new UsageError(`Unexpected argument ${JSON.stringify(extra)} for ${command}.`, command)
  }
  values.set(setting.flag, words.join(" "))
}
