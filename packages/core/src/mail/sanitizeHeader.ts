/**
 * Words that others wrote, made fit for one line: no line can be begun in a
 * header, a calendar or a text with them, and no turned writing direction can
 * make the words around them read otherwise.
 *
 * @category converting
 */
export const toSingleLine = (text: string): string =>
  text.toWellFormed().replace(directions, "").replace(breaks, " ").replace(/ {2,}/g, " ").trim()

const breaks = /[\p{Cc}\p{Zl}\p{Zp}]/gu

// Embeddings, overrides and isolates reach beyond the text that holds them. The marks U+200E and U+200F do not.
const directions = /[\u202A-\u202E\u2066-\u2069]/g
