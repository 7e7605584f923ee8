import type { Link, MailContent } from "./MailContent.ts"

/** Renders an email as plain text, complete without the HTML. */
export const mailText = (content: MailContent): string => {
  const width = Math.max(...content.rows.map(({ label }) => label.length)) + 3
  return [
    content.greeting,
    ...content.paragraphs,
    content.rows.map(({ label, value }) => `${label}:`.padEnd(width) + value).join("\n"),
    ...[content.action, ...content.further].map(link),
    content.outfitter,
    // Two hyphens and a space start a signature, which mail programs separate.
    ["-- ", ...content.closing].join("\n")
  ].join("\n\n") + "\n"
}

// The URL has its own line, so that no mail program includes a period or a bracket in it.
const link = ({ label, url }: Link): string => `${label}:\n${url}`
