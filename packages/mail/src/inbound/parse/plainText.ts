import type { Email } from "postal-mime"

/** Returns an email's plain text up to a size limit. If the email has no text part, the HTML part is converted. */
export const toPlainText = async ({ html, text }: Pick<Email, "html" | "text">): Promise<string> => {
  const plain = text === undefined ? "" : truncateText(decodeWindows1252(text))
  return plain !== "" || html === undefined ? plain : truncateText(decodeWindows1252(await textOf(html)))
}

const textOf = async (html: string): Promise<string> => {
  // Import the library lazily, because most emails have a text part.
  const { convert } = await import("html-to-text")
  // Inline images would use up the character limit.
  const bare = html.replace(/(["'])data:[^"']{64,}\1/g, "$1$1").slice(0, mostHtmlCharacters)
  return convert(bare, {
    wordwrap: false,
    limits: { maxDepth: 64, maxChildNodes: 2000, ellipsis: "…" },
    selectors: [
      { selector: "img", format: "skip" },
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, linkBrackets: ["<", ">"] } },
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: "table", format: "block" }
    ]
  })
}

/** The limit is higher for HTML than for text, because markup is much longer than its text. */
const mostHtmlCharacters = 256 * 1024

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

/**
 * Removes trailing whitespace. A loop is used instead of `/\s+$/`, which would backtrack at every space in the text.
 */
const trimEnd = (text: string): string => {
  let end = text.length
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\n")) end--
  return text.slice(0, end)
}

/**
 * Maps characters 80–9F of windows-1252. Node 20 decodes this charset as ISO 8859-1, which turns curly quotes and the
 * euro sign into control characters. Emails do not otherwise contain these control characters.
 */
export const decodeWindows1252 = (text: string): string =>
  text.replace(/[\x80-\x9F]/g, (control) => characters[control.charCodeAt(0) - 0x80] ?? control)

const characters = Array.from(
  "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ"
)
