/** Limits the default page of a list, because a model reads every row at a price. */
import type { Data } from "./compactResult.ts"
import type { ToolResult } from "./ToolResult.ts"

/** Characters of at most 2000 tokens. A row with many IDs has 2.2 characters per token, and a sentence more than 4. */
export const maxCharacters = 4300

/**
 * Returns the number of rows with which a page fits, or undefined if it fits or the caller has chosen the limit.
 */
export const shorterLimit = (given: Data, { content, structuredContent }: ToolResult): number | undefined => {
  const rows = structuredContent?.data
  if ("limit" in given || !Array.isArray(rows) || rows.length < 2) return undefined
  const length = Math.max(JSON.stringify(structuredContent).length, ...content.map(({ text }) => text.length))
  if (length <= maxCharacters) return undefined
  // The first rows can be longer than the others, so each row counts with its own length.
  const sizes = rows.map((row) => JSON.stringify(row).length)
  let left = sizes.reduce((sum, size) => sum + size, 0) * maxCharacters / length
  const fitting = sizes.findIndex((size) => (left -= size) < 0)
  return Math.max(1, fitting)
}
