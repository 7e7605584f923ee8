import type { Letter, Link } from "./Letter.ts"

/**
 * A letter as plain text, complete without the HTML.
 *
 * @category converting
 */
export const letterText = (letter: Letter): string => {
  const width = Math.max(...letter.rows.map(({ label }) => label.length)) + 3
  return [
    letter.greeting,
    ...letter.paragraphs,
    letter.rows.map(({ label, value }) => `${label}:`.padEnd(width) + value).join("\n"),
    ...[letter.action, ...letter.further].map(link),
    letter.outfitter,
    // Two hyphens and a blank begin a signature, which mail programs set apart.
    ["-- ", ...letter.closing].join("\n")
  ].join("\n\n") + "\n"
}

// The address has a line of its own, so that no mail program takes a full stop or a bracket for a part of it.
const link = ({ label, url }: Link): string => `${label}:\n${url}`
