/** `docs/reference/cli.md`: what `--help` prints, for every command. */
import { stripVTControlCharacters } from "node:util"
import { commands } from "trailbook/command/commands"
import { help } from "trailbook/command/help"
import { commandNames } from "trailbook/setting/Setting"
import { anchor, link, page, plain, table, written } from "./markdown.ts"

export const cliPage = (): string =>
  page(
    "# The command line",
    "",
    written,
    "",
    "`npx trailbook <command>`. Every setting is a flag, most are a variable as well: [settings](settings.md), which also has the exit codes.",
    "",
    table(
      ["command", "what it does"],
      commandNames.map((name) => [link(name, `#${anchor(titleOf(name))}`), plain(commands[name].summary)])
    ),
    commandNames.flatMap((name) => [
      "",
      `## ${titleOf(name)}`,
      "",
      "```text",
      // A terminal may have colors.
      stripVTControlCharacters(help(name)).trimEnd(),
      "```"
    ])
  )

const titleOf = (name: string): string => `trailbook ${name}`
