import { findSetting } from "./read.ts"
import { commandNames, type Setting } from "./Setting.ts"
import { rows } from "./settings.ts"

/**
 * The reference of all settings, as `docs/reference/settings.md` has it.
 *
 * @category rendering
 */
export const reference = (): string => {
  const [environment, line] = [
    rows.filter(([, { env }]) => env.length > 0),
    rows.filter(([, { env }]) => env.length === 0)
  ]
  return [
    "# Settings",
    "",
    "<!-- Written by `trailbook help --markdown`; a test holds the two together. -->",
    "",
    "A flag beats a variable, a variable beats the default. A variable that is empty counts as not set. A variable that begins with",
    "`TRAILBOOK_` and is not in this table is warned about.",
    "",
    "| flag | variable | value | default | commands | |",
    "|---|---|---|---|---|---|",
    ...environment.map(([, setting]) =>
      row([
        code(findSetting(setting)),
        variables(setting),
        setting.kind.accepts,
        fallback(setting),
        where(setting),
        setting.help
      ])
    ),
    "",
    "## Flags without a variable",
    "",
    "| flag | value | default | commands | |",
    "|---|---|---|---|---|",
    ...line.map(([, setting]) =>
      row([code(findSetting(setting)), value(setting), fallback(setting), where(setting), setting.help])
    ),
    "",
    "Every command takes `--help`; `trailbook --version` prints the version. `NO_COLOR` turns colors off.",
    "",
    "## Exit codes",
    "",
    "| code | meaning |",
    "|---|---|",
    "| 0 | done |",
    "| 1 | it failed; what went wrong is on stderr |",
    "| 2 | the command was typed wrong, or a setting has a value that it cannot have |",
    "| 3 | `doctor` found a fault |",
    "| 130, 143 | ended at once by a second Ctrl-C or SIGTERM |",
    ""
  ].join("\n")
}

const row = (cells: ReadonlyArray<string>): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
const code = (text: string): string => `\`${text}\``
const variables = ({ env }: Setting<unknown>): string => env.map(code).join(", ")
const value = ({ kind, positional }: Setting<unknown>): string => {
  // Markdown would take <file> for a tag.
  const accepts = kind.accepts.replaceAll("<", "\\<")
  return kind.placeholder === null ? "–" : positional ? `a word after the command: ${accepts}` : accepts
}
const fallback = ({ otherwise }: Setting<unknown>): string => otherwise === undefined ? "required" : otherwise.shown
const where = ({ commands }: Setting<unknown>): string =>
  commandNames.filter((name) => commands.includes(name)).join(", ")
