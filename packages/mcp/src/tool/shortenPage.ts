/** Limits the default page of a list, because every row that a model reads costs money. */
import type { Data } from "./compactResult.ts"
import type { ToolResult } from "./ToolResult.ts"

/**
 * The maximum number of characters, which amounts to at most 2,000 tokens. A row with many IDs has 2.2 characters per
 * token, and a sentence has more than 4.
 */
export const maxCharacters = 4300

/** Returns the number of rows that fit on a page, or undefined if all rows fit or the caller has chosen the limit. */
export const shorterLimit = (input: Data, { content, structuredContent }: ToolResult): number | undefined => {
  const rows = structuredContent?.data
  if ("limit" in input || !Array.isArray(rows) || rows.length < 2) return undefined
  const length = Math.max(JSON.stringify(structuredContent).length, ...content.map(({ text }) => text.length))
  if (length <= maxCharacters) return undefined
  // Add up the length of each row, because the first rows can be longer than the others.
  const sizes = rows.map((row) => JSON.stringify(row).length)
  let budget = sizes.reduce((sum, size) => sum + size, 0) * maxCharacters / length
  const count = sizes.findIndex((size) => (budget -= size) < 0)
  return Math.max(1, count)
}
