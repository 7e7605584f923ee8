import type { Link, MailContent } from "./MailContent.ts"

/**
 * A mail as plain text, complete without the HTML.
 *
 * @category converting
 */
export const mailText = (content: MailContent): string => {
  const width = Math.max(...content.rows.map(({ label }) => label.length)) + 3
  return [
    content.greeting,
    ...content.paragraphs,
    content.rows.map(({ label, value }) => `${label}:`.padEnd(width) + value).join("\n"),
    ...[content.action, ...content.further].map(link),
    content.outfitter,
    // Two hyphens and a blank begin a signature, which mail programs set apart.
    ["-- ", ...content.closing].join("\n")
  ].join("\n\n") + "\n"
}

// The address has a line of its own, so that no mail program takes a full stop or a bracket for a part of it.
const link = ({ label, url }: Link): string => `${label}:\n${url}`
