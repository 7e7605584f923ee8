/**
 * Truncates an email's text to 65,536 characters, 1,000 lines, and three consecutive blank lines. Normalizes line
 * breaks and spaces. The limits are necessary because the search for quotations takes quadratic time.
 */
export const truncateText = (text: string): string => {
  const begin = text.length > mostCharacters ? text.slice(0, mostCharacters).toWellFormed() : text.toWellFormed()
  const lines = begin
    .replace(/\r\n?/g, "\n")
    .replace(/[\t\f\v\u00A0]/g, " ")
    // Some storage adapters cannot store control characters.
    .replace(/[^\P{Cc}\n]|[\u200B\uFEFF]/gu, "")
    .split("\n")
  const keptLines: Array<string> = []
  let blank = 0
  let isTruncated = false
  for (const line of lines) {
    const trimmedLine = trimEnd(line)
    blank = trimmedLine === "" ? blank + 1 : 0
    if (blank > mostBlank) continue
    if (keptLines.length === mostLines) {
      isTruncated = true
      break
    }
    keptLines.push(trimmedLine)
  }
  const whole = trimEnd(keptLines.join("\n").replace(/^\n+/, ""))
  return isTruncated || begin.length < text.length ? `${whole}\n${truncationMarker}` : whole
}

/** Tells readers that the text is truncated. */
export const truncationMarker = "[The rest of this email was omitted because it is too long.]"

const mostCharacters = 64 * 1024
const mostLines = 1000
const mostBlank = 3

/** Removes white space from the end. A loop replaces `/\s+$/`, which would backtrack at every space in the text. */
const trimEnd = (text: string): string => {
  let end = text.length
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\n")) end--
  return text.slice(0, end)
}
