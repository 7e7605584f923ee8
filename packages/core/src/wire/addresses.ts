// Matches an email address in its usual form: a dot-atom, the @, and a host name that contains a dot. Quoted local
// parts and address literals are not used in practice. Each part is matched without nested repetition, which avoids
// catastrophic backtracking.
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/
const hostLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** The host in the email that is stored for a guest without an address (`makePlaceholderEmail`). */
export const placeholderEmailHost = "guests.invalid"

/**
 * Parses an email address, trimmed and converted to lowercase. Returns undefined if the address is invalid, is longer
 * than 254 characters, or is reserved for guests without an address.
 */
export const parseEmailAddress = (text: string): string | undefined => {
  const address = text.trim().toLowerCase()
  if (address.length > 254) return undefined
  const at = address.indexOf("@")
  const local = address.slice(0, at)
  const host = address.slice(at + 1)
  const labels = host.split(".")
  const isAddress = at > 0 && host !== placeholderEmailHost && localPart.test(local) && !local.startsWith(".") &&
    !local.endsWith(".") &&
    !local.includes("..") && labels.length > 1 && labels.every((label) => hostLabel.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "")
  return isAddress ? address : undefined
}

// Detects web addresses in people's names. A visitor chooses both the name in an email and the address that receives
// it. A link in the name would turn the outfitter's email into an advertisement.

// Matches a dot. Browsers also treat the fullwidth and ideographic forms as dots.
const dot = "[.\\u3002\\uFF0E\\uFF61]"
const webAddress = new RegExp(
  `://|\\bwww${dot}|[\\p{L}\\p{N}-]${dot}\\p{L}{2}|\\d${dot}\\d+${dot}\\d+${dot}\\d|@`,
  "iu"
)

/**
 * Returns whether a mail program could turn part of the text into a link. `Dr. Ada` and `J.R.R. Tolkien` contain no
 * such part.
 */
export const hasWebAddress = (text: string): boolean => webAddress.test(text)

const dots = new RegExp(`(?<=[\\p{L}\\p{N}-])${dot}(?=[\\p{L}\\p{N}])`, "gu")

/** Rewrites the text so that no mail program turns it into a link, as in `evil[.]example`. */
export const defangLinks = (text: string): string =>
  hasWebAddress(text) ? text.replaceAll("://", "[:]//").replaceAll("@", "[at]").replace(dots, "[.]") : text
