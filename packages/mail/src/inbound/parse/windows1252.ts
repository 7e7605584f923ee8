/**
 * Maps characters 80–9F of windows-1252. Node 20 decodes this charset as ISO 8859-1, which turns curly quotes and the
 * euro sign into control characters. Emails do not otherwise contain these control characters.
 */
export const windows1252 = (text: string): string =>
  text.replace(/[\x80-\x9F]/g, (control) => characters[control.charCodeAt(0) - 0x80] ?? control)

const characters = Array.from(
  "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ"
)
