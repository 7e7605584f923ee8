import type { Email } from "postal-mime"
import { truncateText } from "./truncate.ts"
import { windows1252 } from "./windows1252.ts"

/** Returns an email's plain text up to a size limit. If the email has no text part, the HTML part is converted. */
export const toPlainText = async ({ html, text }: Pick<Email, "html" | "text">): Promise<string> => {
  const plain = text === undefined ? "" : truncateText(windows1252(text))
  return plain !== "" || html === undefined ? plain : truncateText(windows1252(await textOf(html)))
}

const textOf = async (html: string): Promise<string> => {
  // Import the library lazily, because most emails have a text part.
  const { convert } = await import("html-to-text")
  // Inline images would use up the character limit.
  const bare = html.replace(/(["'])data:[^"']{64,}\1/g, "$1$1").slice(0, mostCharacters)
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

/** The limit for HTML is higher than the limit for text, because markup is much longer than its text. */
const mostCharacters = 256 * 1024
