/**
 * Sanitizes user input for a single line. The result cannot start a new line in a header, a calendar, or a text, and
 * cannot change the direction of the surrounding text.
 */
export const toSingleLine = (text: string): string =>
  text.toWellFormed().replace(directions, "").replace(breaks, " ").replace(/ {2,}/g, " ").trim()

const breaks = /[\p{Cc}\p{Zl}\p{Zp}]/gu

// Embeddings, overrides, and isolates affect the text after them. The marks U+200E and U+200F do not.
const directions = /[\u202A-\u202E\u2066-\u2069]/g
