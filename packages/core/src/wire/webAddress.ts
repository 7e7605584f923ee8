/**
 * Detects web addresses in names of people. Visitors choose both a name and the address for its email, so a name with a
 * link would be an advertisement in the outfitter's email.
 */

// A dot between a word and two letters, including the fullwidth and ideographic forms, which browsers treat as dots.
const dot = "[.\\u3002\\uFF0E\\uFF61]"
const address = new RegExp(`://|\\bwww${dot}|[\\p{L}\\p{N}-]${dot}\\p{L}{2}|\\d${dot}\\d+${dot}\\d+${dot}\\d|@`, "iu")

/** Whether a mail program could turn a part of the text into a link. `Dr. Ada` and `J.R.R. Tolkien` contain none. */
export const hasWebAddress = (text: string): boolean => address.test(text)

const dots = new RegExp(`(?<=[\\p{L}\\p{N}-])${dot}(?=[\\p{L}\\p{N}])`, "gu")

/** Rewrites the text so that no mail program turns it into a link: `evil[.]example`. */
export const withoutLinks = (text: string): string =>
  hasWebAddress(text) ? text.replaceAll("://", "[:]//").replaceAll("@", "[at]").replace(dots, "[.]") : text
