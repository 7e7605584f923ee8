/** Writes `docs/reference/cli.md`: the `--help` output of every command. */
import { commands } from "@trailbook/cli/command/commands"
import { renderHelp } from "@trailbook/cli/command/renderHelp"
import { commandNames } from "@trailbook/server/setting/Setting"
import { stripVTControlCharacters } from "node:util"
import { anchor, escapeHtml, link, page, table, writtenNotice } from "./markdown.ts"

export const cliPage = (): string =>
  page(
    "# Command line",
    "",
    writtenNotice,
    "",
    "Run `npx trailbook <command>`. Every setting is a flag, and many settings are also environment variables. [Settings](settings.md) lists the variables and the exit codes.",
    "",
    table(
      ["command", "description"],
      commandNames.map((name) => [link(name, `#${anchor(titleOf(name))}`), escapeHtml(commands[name].summary)])
    ),
    commandNames.flatMap((name) => [
      "",
      `## ${titleOf(name)}`,
      "",
      "```text",
      // The output is colored when it is written to a terminal.
      stripVTControlCharacters(renderHelp(name)).trimEnd(),
      "```"
    ])
  )

const titleOf = (name: string): string => `trailbook ${name}`
