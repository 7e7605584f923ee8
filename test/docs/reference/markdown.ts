/** Markdown for the reference pages. */

export const writtenNotice = "<!-- Written by `npm run docs`. A test compares it with the code. -->"

/** Renders a table. Escapes `|` and removes line breaks, which would end a cell. */
export const table = (
  titles: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> => [
  row(titles),
  `|${titles.map(() => "---|").join("")}`,
  ...rows.map(row)
]

const row = (cells: ReadonlyArray<string>): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`

export const code = (text: string): string => `\`${text}\``

/** Returns the anchor that GitHub gives a heading. */
export const anchor = (heading: string): string =>
  heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-")

export const link = (text: string, target: string): string => `[${text}](${target})`

/** Escapes `<`, which would start a tag. */
export const escapeHtml = (text: string): string => text.replaceAll("<", "\\<")

export const page = (...parts: ReadonlyArray<string | ReadonlyArray<string>>): string => `${parts.flat().join("\n")}\n`
