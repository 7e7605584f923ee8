// Matches an email address in its usual form: a dot-atom, the @, and a host name that contains a dot. Quoted local
// parts and address literals are not used in practice. Each part is matched without nested repetition, which avoids
// catastrophic backtracking.
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/
/** The host in the email that is stored for a guest without an address (`makePlaceholderEmail`). */
export const placeholderHost = "guests.invalid"

const hostLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

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
  const isAddress = at > 0 && host !== placeholderHost && localPart.test(local) && !local.startsWith(".") &&
    !local.endsWith(".") &&
    !local.includes("..") && labels.length > 1 && labels.every((label) => hostLabel.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "")
  return isAddress ? address : undefined
}
