import type { Email } from "postal-mime"
import { truncateText } from "./truncate.ts"
import { windows1252 } from "./windows1252.ts"

/**
 * The words of a mail as bounded plain text: its text part, or else what its HTML
 * says.
 */
export const toPlainText = async ({ html, text }: Pick<Email, "html" | "text">): Promise<string> => {
  const plain = text === undefined ? "" : truncateText(windows1252(text))
  return plain !== "" || html === undefined ? plain : truncateText(windows1252(await textOf(html)))
}

const textOf = async (html: string): Promise<string> => {
  // Loaded when it is used: most mails have a text part.
  const { convert } = await import("html-to-text")
  // Pictures inside the HTML would use up what may be read of it.
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

/** Of HTML, which says far less than it is long. */
const mostCharacters = 256 * 1024
