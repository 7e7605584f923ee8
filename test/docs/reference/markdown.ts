/** The parts that reference pages are made of. */

export const written = "<!-- Written by `npm run docs`. A test compares it with the code. -->"

/** A table; a `|` in a cell does not end it, and neither does a new line. */
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

/** Where a heading is linked to, as GitHub makes it. */
export const anchor = (heading: string): string =>
  heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-")

export const link = (text: string, target: string): string => `[${text}](${target})`

/** A sentence as it stands in a paragraph: `<` would begin a tag. */
export const plain = (text: string): string => text.replaceAll("<", "\\<")

export const page = (...parts: ReadonlyArray<string | ReadonlyArray<string>>): string => `${parts.flat().join("\n")}\n`
