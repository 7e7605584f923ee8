/**
 * Bounds the text of a mail: at most 64 kB, 1,000 lines, and three consecutive blank lines, with normalized line breaks
 * and spaces. The search for quotations takes quadratic time.
 */
export const truncateText = (text: string): string => {
  const begin = text.length > mostCharacters ? text.slice(0, mostCharacters).toWellFormed() : text.toWellFormed()
  const lines = begin
    .replace(/\r\n?/g, "\n")
    .replace(/[\t\f\v\u00A0]/g, " ")
    // Control characters are not text, and some storages cannot store them.
    .replace(/[^\P{Cc}\n]|[\u200B\uFEFF]/gu, "")
    .split("\n")
  const kept: Array<string> = []
  let blank = 0
  let left = false
  for (const line of lines) {
    const trimmed = trimmedEnd(line)
    blank = trimmed === "" ? blank + 1 : 0
    if (blank > mostBlank) continue
    if (kept.length === mostLines) {
      left = true
      break
    }
    kept.push(trimmed)
  }
  const whole = trimmedEnd(kept.join("\n").replace(/^\n+/, ""))
  return left || begin.length < text.length ? `${whole}\n${truncationMarker}` : whole
}

/** Tells readers of the message that the text is truncated. */
export const truncationMarker = "[The rest of this email was omitted because it is too long.]"

const mostCharacters = 64 * 1024
const mostLines = 1000
const mostBlank = 3

/** A loop, because `/\s+$/` would backtrack at every space of a run that does not end the text. */
const trimmedEnd = (text: string): string => {
  let end = text.length
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\n")) end--
  return text.slice(0, end)
}
