import { domainToASCII } from "node:url"

/**
 * Parses a From header that contains exactly one mailbox. Returns `undefined` for any header that two programs could
 * interpret differently, so that Trailbook never guesses the author. The address is converted to lowercase, and the
 * name keeps its encoding.
 */
export const parseFromHeader = (value: string): { readonly name: string; readonly email: string } | undefined => {
  const { address, hasQuotes, phrase } = split(value)
  if (phrase === undefined) return undefined
  const email = address ?? (hasQuotes ? "" : phrase.trim())
  return isAddress(email) ? { name: address === undefined ? "" : phrase.trim(), email: email.toLowerCase() } : undefined
}

/** Compares two addresses, treating a Punycode domain and its Unicode form as equal. */
export const isSameAddress = (a: string, b: string): boolean => ascii(a) === ascii(b)

const ascii = (address: string): string => {
  const at = address.lastIndexOf("@")
  const domain = address.slice(at + 1)
  return `${address.slice(0, at).normalize("NFC").toLowerCase()}@${domainToASCII(domain) || domain.toLowerCase()}`
}

const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>()[\],;:"\\\p{Cc}]+@[^\s@<>()[\],;:"\\\p{Cc}]+$/u.test(text)

interface Parts {
  /**
   * The text outside the angle brackets, without comments or quotation marks, or `undefined` if the mailbox is invalid.
   */
  readonly phrase: string | undefined
  readonly address: string | undefined
  readonly hasQuotes: boolean
}

const split = (value: string): Parts => {
  const none: Parts = { phrase: undefined, address: undefined, hasQuotes: false }
  let phrase = ""
  let address: string | undefined
  let hasQuotes = false
  let comments = 0
  let at = 0
  while (at < value.length) {
    const character = value[at] ?? ""
    at++
    if (comments > 0) {
      if (character === "\\") at++
      else if (character === "(") comments++
      else if (character === ")") comments--
    } else if (character === "(") {
      comments++
      // A comment inside an address splits it in two, so the address is invalid.
      phrase += " "
    } else if (character === "\"") {
      hasQuotes = true
      while (at < value.length && value[at] !== "\"") {
        if (value[at] === "\\") at++
        phrase += value[at] ?? ""
        at++
      }
      if (at >= value.length) return none
      at++
    } else if (character === "<") {
      const end = value.indexOf(">", at)
      if (address !== undefined || end < 0) return none
      address = value.slice(at, end).trim()
      at = end + 1
    } else if (/[,;:>)]/.test(character)) return none
    else if (address !== undefined && character.trim() !== "") return none
    else phrase += character
  }
  return comments === 0 ? { phrase, address, hasQuotes } : none
}
