import { readSettings } from "@trailbook/server/setting/readSettings"
import { commandNames } from "@trailbook/server/setting/Setting"
import { listCommandSettings } from "@trailbook/server/setting/settings"
import { describe, expect, it } from "vitest"
import { commands, getCommandExamples } from "../../src/command/commands.ts"
import { parseArguments } from "../../src/command/parseArguments.ts"
import { renderHelp } from "../../src/command/renderHelp.ts"

describe.each(commandNames)("the help for %s", (name) => {
  it("starts with a description and examples", () => {
    const [summary, , heading, first] = renderHelp(name).split("\n")
    expect([summary, heading, first]).toEqual([
      commands[name].summary,
      "Examples",
      `  ${getCommandExamples(name)[0]?.line}`
    ])
  })

  it("lists every setting with its bounds and default", () => {
    const text = renderHelp(name)
    for (const [, { env, flag, help, kind, otherwise, positional }] of listCommandSettings(name)) {
      expect(text).toContain(positional ? `<${flag}>` : `--${flag}`)
      expect(text).toContain(help)
      for (const variable of env) expect(text).toContain(variable)
      if (kind.placeholder === null) continue
      for (const part of kind.placeholder.includes("|") ? [kind.placeholder] : [kind.accepts]) {
        expect(text).toContain(part)
      }
      expect(text).toContain(otherwise === undefined ? "required" : `default: ${otherwise.shown}`)
    }
  })

  it("shows only valid command lines as examples", () => {
    for (const { line } of getCommandExamples(name)) {
      const words = Array.from(line.matchAll(/"([^"]*)"|\S+/g), ([whole, quotedWord]) => quotedWord ?? whole)
      const parsedCall = parseArguments(words.slice(1))
      expect(parsedCall).toMatchObject({ _tag: "Call", command: name })
      const flags = "flags" in parsedCall ? parsedCall.flags : new Map<string, string>()
      expect(readSettings(name, flags, {}).problems).toEqual([])
    }
  })

  it("fits in 120-character lines, except for examples", () => {
    const examples = new Set(getCommandExamples(name).map(({ line }) => `  ${line}`))
    expect(renderHelp(name).split("\n").filter((line) => line.length > 120 && !examples.has(line))).toEqual([])
  })
})

it("help lists every command, or only the subcommands of the given command", () => {
  for (const name of commandNames) expect(renderHelp("")).toContain(`  ${name} `)
  expect(renderHelp("keys")).toContain("keys revoke")
  expect(renderHelp("keys")).not.toContain("serve")
})
