// The address as people write it: a dot-atom before the @, a host name with a dot after it. Quoted local parts and
// address literals exist on paper only; each part is matched without nested repetition, so no input makes it slow.
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/
const hostLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Reads one e-mail address, trimmed and in lower case; `undefined` when it is not
 * one, or longer than 254 characters.
 *
 * @category parsing
 */
export const emailAddress = (text: string): string | undefined => {
  const address = text.trim().toLowerCase()
  if (address.length > 254) return undefined
  const at = address.indexOf("@")
  const local = address.slice(0, at)
  const labels = address.slice(at + 1).split(".")
  const isAddress = at > 0 && localPart.test(local) && !local.startsWith(".") && !local.endsWith(".") &&
    !local.includes("..") && labels.length > 1 && labels.every((label) => hostLabel.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "")
  return isAddress ? address : undefined
}
