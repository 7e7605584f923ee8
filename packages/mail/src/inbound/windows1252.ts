/**
 * The characters that windows-1252 has at 80–9F. Node 20 decodes that charset as
 * ISO 8859-1, which has control characters there: curly quotes and the euro sign
 * would be lost. No mail has use for those controls, so what is there is mapped.
 */
export const windows1252 = (text: string): string =>
  text.replace(/[\x80-\x9F]/g, (control) => characters[control.charCodeAt(0) - 0x80] ?? control)

const characters = Array.from(
  "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ"
)
