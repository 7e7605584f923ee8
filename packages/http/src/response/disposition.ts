/**
 * Parses and formats `Content-Disposition` headers, which contain a form part's name and file name. Follows RFC 7578,
 * except where the HTML standard differs, because browsers follow the latter.
 */

export interface Disposition {
  readonly name: string
  /** The file name, or `undefined` for a field without a file. */
  readonly filename: string | undefined
}

/** Parses a form part's header. Returns `undefined` for any other header. */
export const parse = (header: string): Disposition | undefined => {
  const kind = /^\s*form-data\s*(?=;|$)/i.exec(header)
  if (kind === null) return undefined
  const parameters = new Map<string, string>()
  let at = kind[0].length
  while (at < header.length) {
    parameter.lastIndex = at
    const match = parameter.exec(header)
    if (match === null) return undefined
    const [all, name = "", quotedText, plainText = ""] = match
    parameters.set(name.toLowerCase(), quotedText === undefined ? plainText : unescape(quotedText))
    at += all.length
  }
  const name = parameters.get("name")
  const extendedName = parameters.get("filename*")
  const filename = (extendedName === undefined ? undefined : decodeExtended(extendedName)) ?? parameters.get("filename")
  return name === undefined ? undefined : { name, filename }
}

// Matching takes linear time, because each repetition ends at a character that it cannot match.
const parameter = /\s*;\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))\s*/sy

/**
 * Unescapes a name. Browsers encode quotes as %22 and line breaks as %0D and %0A. Other programs escape quotes with a
 * backslash.
 */
const unescape = (text: string): string =>
  text.replace(/\\(["\\])/g, "$1").replace(
    /%(22|0D|0A)/gi,
    (_, code: string) => String.fromCharCode(parseInt(code, 16))
  )

/** Decodes `UTF-8''na%C3%AFve.jpg` (RFC 8187). The plain name is used for any other charset. */
const decodeExtended = (text: string): string | undefined => {
  const [, escapedText] = /^utf-8'[^']*'(.*)$/is.exec(text) ?? []
  try {
    return escapedText === undefined ? undefined : decodeURIComponent(escapedText)
  } catch {
    return undefined
  }
}

/**
 * Formats the header for a file response. In the plain name, underscores replace characters that old clients misread.
 * The extended name keeps them (RFC 6266).
 */
export const format = (kind: "inline" | "attachment", name: string): string => {
  const characters = [...name.toWellFormed()]
  // Shorten the name, but keep its end, which contains the file extension.
  const short = characters.length <= longest
    ? characters
    : [...characters.slice(0, longest - 20), "…", ...characters.slice(-20)]
  const plainName = short.map((character) => /^[\w !#$&+.^`|~()@,=-]$/.test(character) ? character : "_").join("")
  const encodedName = encodeURIComponent(short.join("")).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `${kind}; filename="${plainName}"; filename*=UTF-8''${encodedName}`
}

const longest = 120
