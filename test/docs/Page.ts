/** Helpers that read a documentation page. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

export const root = join(import.meta.dirname, "../..")

export interface Block {
  readonly language: string
  readonly text: string
}

export interface Page {
  /** The path relative to the repository root. */
  readonly path: string
  readonly text: string
  readonly blocks: ReadonlyArray<Block>
}

export const readPage = (path: string): Page => parsePage(path, readFileSync(join(root, path), "utf8"))

export const parsePage = (path: string, text: string): Page => ({
  path,
  text,
  blocks: Array.from(text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm), ([, language = "", text = ""]) => ({
    language,
    text
  }))
})

/** Returns the text without fenced blocks. */
export const prose = ({ text }: Page): string => text.replace(/^```[\s\S]*?^```$/gm, "")

/**
 * Returns the rows of the table whose first column has the given title, without the header. Cells keep their Markdown.
 */
export const table = (page: Page, title: string): ReadonlyArray<ReadonlyArray<string>> => {
  const lines = page.text.split("\n")
  const at = lines.findIndex((line) => line.startsWith(`| ${title} |`))
  if (at === -1) throw new Error(`${page.path} has no table that begins with ${title}`)
  const end = lines.findIndex((line, index) => index > at && !line.startsWith("|"))
  return lines.slice(at + 2, end === -1 ? undefined : end).map(cells)
}

const cells = (row: string): ReadonlyArray<string> => row.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim())
