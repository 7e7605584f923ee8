import { formatSettingName } from "@trailbook/server/setting/readSettings"
import { renderSettingsReference } from "@trailbook/server/setting/renderSettingsReference"
import { type CommandName, commandNames, type Setting } from "@trailbook/server/setting/Setting"
import { listCommandSettings } from "@trailbook/server/setting/settings"
import { UsageError } from "@trailbook/server/setting/UsageError"
import type { CommandExample, CommandRunner } from "./Command.ts"
import { commands, getCommandExamples } from "./commands.ts"
import { parseArguments } from "./parseArguments.ts"
import * as Print from "./Print.ts"

export const run: CommandRunner<"help"> = async ({ markdown, topic }) => {
  Print.text(markdown ? renderSettingsReference() : renderHelp(topic === undefined ? "" : resolveTopic(topic)))
}

/** Resolves a help topic. Throws the same error for an unknown topic as for an unknown command. */
const resolveTopic = (topic: string): string => {
  const args = parseArguments([...topic.split(" "), "--help"])
  return args._tag === "Help" ? args.topic : ""
}

/** Renders help for a command, for a group of commands such as `keys`, or for all commands. */
export const renderHelp = (topic: string): string => {
  const command = commandNames.find((name) => name === topic)
  if (command !== undefined) return formatCommand(command)
  const members = commandNames.filter((name) => topic === "" || name.startsWith(`${topic} `))
  if (members.length === 0) throw new UsageError(`Unknown command ${JSON.stringify(topic)}.`)
  return joinLines(
    ...(topic === "" ? ["Trailbook is a booking engine for outdoor outfitters.", ""] : []),
    Print.formatBold("Examples"),
    ...formatExamples(topic === "" ? overviewExamples : members.flatMap(getCommandExamples)),
    "",
    Print.formatBold("Commands"),
    ...formatColumns(members.map((name) => [name, commands[name].summary])),
    "",
    `More: trailbook ${topic === "" ? "<command>" : `${topic} <word>`} --help`
  )
}

const overviewExamples = [
  { line: "trailbook demo", description: "starts a demo with an outfitter, guests, and bookings" },
  { line: "trailbook serve --database sqlite:trailbook.sqlite", description: "starts a server with your own data" }
]

const formatCommand = (name: CommandName): string => {
  const settings = listCommandSettings(name).map(([, setting]) => setting)
  return joinLines(
    commands[name].summary,
    "",
    Print.formatBold("Examples"),
    ...formatExamples(getCommandExamples(name)),
    "",
    Print.formatBold("Usage"),
    ...wrap([`trailbook ${name}`, ...settings.map(formatUsage)], " ", lineWidth - 6)
      .map((line, at) => (at === 0 ? "  " : "      ") + line),
    "",
    Print.formatBold("Settings"),
    ...formatColumns([
      ...settings.map((setting) => [formatSyntax(setting), setting.help, formatNotes(setting)] as const),
      ["--help", "Print this help."]
    ])
  )
}

const formatExamples = (examples: ReadonlyArray<CommandExample>): ReadonlyArray<string> =>
  examples.flatMap(({ description, line }) => [`  ${line}`, Print.formatDim(`      ${description}`)])

const formatUsage = (setting: Setting<unknown>): string =>
  setting.otherwise === undefined ? formatSyntax(setting) : `[${formatSyntax(setting)}]`

const formatSyntax = (setting: Setting<unknown>): string =>
  setting.positional || setting.kind.placeholder === null
    ? formatSettingName(setting)
    : `${formatSettingName(setting)} ${setting.kind.placeholder}`

const formatNotes = ({ env, kind, otherwise }: Setting<unknown>): ReadonlyArray<string> =>
  kind.placeholder === null
    ? env
    : [
      ...(kind.placeholder.includes("|") ? [] : [kind.accepts]),
      otherwise === undefined ? "required" : `default: ${otherwise.shown}`,
      ...env
    ]

/** Formats two columns: the labels, and each text with its notes below it. */
const formatColumns = (
  rows: ReadonlyArray<readonly [label: string, text: string, notes?: ReadonlyArray<string>]>
): ReadonlyArray<string> => {
  const width = Math.min(Math.max(...rows.map(([label]) => label.length)), 26)
  const indent = " ".repeat(width + 4)
  return rows.flatMap(([label, text, notes = []]) => {
    const noteLines = wrap(notes, "; ", lineWidth - indent.length).map((line) => indent + Print.formatDim(line))
    return label.length > width
      ? [`  ${label}`, indent + text, ...noteLines]
      : [`  ${label.padEnd(width)}  ${text}`, ...noteLines]
  })
}

const lineWidth = 110

const joinLines = (...all: ReadonlyArray<string>): string => `${all.join("\n")}\n`

/**
 * Joins parts with `glue` into lines of at most `width` characters. All lines except the last end with the trimmed
 * `glue`. A part that is longer than `width` is not broken.
 */
const wrap = (parts: ReadonlyArray<string>, glue: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const part of parts) {
    const last = lines.at(-1)
    const longer = last === undefined ? undefined : last + glue + part
    if (longer !== undefined && longer.length <= width) lines[lines.length - 1] = longer
    else {
      if (last !== undefined) lines[lines.length - 1] = (last + glue).trimEnd()
      lines.push(part)
    }
  }
  return lines
}
