/**
 * Web addresses in the names of people. Visitors choose both a name and the address that mail about it goes to, so a name
 * with a link would be their advertisement in the outfitter's mail.
 */

// A dot between a word and two letters, also in its fullwidth and ideographic forms, which browsers read as dots.
const dot = "[.\\u3002\\uFF0E\\uFF61]"
const address = new RegExp(`://|\\bwww${dot}|[\\p{L}\\p{N}-]${dot}\\p{L}{2}|\\d${dot}\\d+${dot}\\d+${dot}\\d|@`, "iu")

/**
 * Whether mail programs could make a link of a part of the text. `Dr. Ada` and `J.R.R. Tolkien` have none.
 *
 * @category predicates
 */
export const hasWebAddress = (text: string): boolean => address.test(text)

const dots = new RegExp(`(?<=[\\p{L}\\p{N}-])${dot}(?=[\\p{L}\\p{N}])`, "gu")

/**
 * The text written so that no mail program makes a link of it: `evil[.]example`.
 *
 * @category converting
 */
export const withoutLinks = (text: string): string =>
  hasWebAddress(text) ? text.replaceAll("://", "[:]//").replaceAll("@", "[at]").replace(dots, "[.]") : text
