import { domainToASCII } from "node:url"

/**
 * The one mailbox of a From header, or `undefined` when it has none, several, a
 * group, or anything that two programs could read in two ways: who wrote a mail is
 * not to be guessed. The address is lower case; the name is encoded as it came.
 */
export const parseFromHeader = (value: string): { readonly name: string; readonly email: string } | undefined => {
  const { address, hasQuotes, phrase } = split(value)
  if (phrase === undefined) return undefined
  const email = address ?? (hasQuotes ? "" : phrase.trim())
  return isAddress(email) ? { name: address === undefined ? "" : phrase.trim(), email: email.toLowerCase() } : undefined
}

/** Whether two addresses are one, in any writing of their domains. */
export const isSameAddress = (a: string, b: string): boolean => ascii(a) === ascii(b)

const ascii = (address: string): string => {
  const at = address.lastIndexOf("@")
  const domain = address.slice(at + 1)
  return `${address.slice(0, at).normalize("NFC").toLowerCase()}@${domainToASCII(domain) || domain.toLowerCase()}`
}

const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>()[\],;:"\\\p{Cc}]+@[^\s@<>()[\],;:"\\\p{Cc}]+$/u.test(text)

interface Parts {
  /** What stands outside the angle brackets, without comments and quotation marks; `undefined` when it is no mailbox. */
  readonly phrase: string | undefined
  /** What stands inside them. */
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
      // An address with a comment inside is two words, and so none.
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
