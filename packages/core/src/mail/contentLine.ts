/**
 * Formats a line of an iCalendar object (RFC 5545 §3.1): folded at 75 octets, never inside a character, and ended by
 * CRLF.
 */
export const contentLine = (name: string, value: string): string => {
  let folded = ""
  let octets = 0
  for (const character of `${name}:${value}`) {
    const size = octetsOf(character)
    if (octets + size > 75) {
      folded += "\r\n "
      octets = 1
    }
    folded += character
    octets += size
  }
  return `${folded}\r\n`
}

/** Escapes a value of type TEXT (RFC 5545 §3.3.11). */
export const textValue = (text: string): string => text.replace(/[\\;,]/g, "\\$&").replace(/\r\n|\r|\n/g, "\\n")

/** The number of octets in UTF-8, the encoding of iCalendar. */
const octetsOf = (character: string): number => {
  const code = character.codePointAt(0) ?? 0
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}
