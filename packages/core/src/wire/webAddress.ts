/**
 * Detects web addresses in people's names. A visitor chooses both the name in an email and the address that receives
 * it. A link in the name would turn the outfitter's email into an advertisement.
 */

// Matches a dot. Browsers also treat the fullwidth and ideographic forms as dots.
const dot = "[.\\u3002\\uFF0E\\uFF61]"
const address = new RegExp(`://|\\bwww${dot}|[\\p{L}\\p{N}-]${dot}\\p{L}{2}|\\d${dot}\\d+${dot}\\d+${dot}\\d|@`, "iu")

/**
 * Returns whether a mail program could turn part of the text into a link. `Dr. Ada` and `J.R.R. Tolkien` contain no
 * such part.
 */
export const hasWebAddress = (text: string): boolean => address.test(text)

const dots = new RegExp(`(?<=[\\p{L}\\p{N}-])${dot}(?=[\\p{L}\\p{N}])`, "gu")

/** Rewrites the text so that no mail program turns it into a link, as in `evil[.]example`. */
export const defangLinks = (text: string): string =>
  hasWebAddress(text) ? text.replaceAll("://", "[:]//").replaceAll("@", "[at]").replace(dots, "[.]") : text
