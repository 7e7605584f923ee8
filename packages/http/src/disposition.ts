/**
 * What a part of a form is called, and the file in it, as browsers and programs write
 * it into `Content-Disposition` (RFC 7578, and the HTML standard where they differ).
 */

export interface Disposition {
  readonly name: string
  /** `undefined` for a field without a file. */
  readonly filename: string | undefined
}

/** `undefined` for a header that is not one of a form's part. */
export const parse = (header: string): Disposition | undefined => {
  const kind = /^\s*form-data\s*(?=;|$)/i.exec(header)
  if (kind === null) return undefined
  const given = new Map<string, string>()
  let at = kind[0].length
  while (at < header.length) {
    parameter.lastIndex = at
    const found = parameter.exec(header)
    if (found === null) return undefined
    const [all, name = "", quoted, plain = ""] = found
    given.set(name.toLowerCase(), quoted === undefined ? plain : unescaped(quoted))
    at += all.length
  }
  const name = given.get("name")
  const extended = given.get("filename*")
  const filename = (extended === undefined ? undefined : decoded(extended)) ?? given.get("filename")
  return name === undefined ? undefined : { name, filename }
}

// Every repetition ends at a character that it cannot hold, so no input makes it slow.
const parameter = /\s*;\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))\s*/sy

/** Browsers write a quote as %22 and line breaks as %0D and %0A; other programs put a backslash before a quote. */
const unescaped = (text: string): string =>
  text.replace(/\\(["\\])/g, "$1").replace(
    /%(22|0D|0A)/gi,
    (_, code: string) => String.fromCharCode(parseInt(code, 16))
  )

/** `UTF-8''na%C3%AFve.jpg` (RFC 8187); of another charset the plain name is taken. */
const decoded = (text: string): string | undefined => {
  const [, escaped] = /^utf-8'[^']*'(.*)$/is.exec(text) ?? []
  try {
    return escaped === undefined ? undefined : decodeURIComponent(escaped)
  } catch {
    return undefined
  }
}

/**
 * The header of an answer that is a file, by a name that may hold anything: for old
 * programs without what they might misread, and whole for all others (RFC 6266).
 */
export const header = (kind: "inline" | "attachment", name: string): string => {
  const characters = [...name.toWellFormed()]
  // A header has to be short. The end says what kind of file it is.
  const short = characters.length <= longest
    ? characters
    : [...characters.slice(0, longest - 20), "…", ...characters.slice(-20)]
  const plain = short.map((character) => /^[\w !#$&+.^`|~()@,=-]$/.test(character) ? character : "_").join("")
  const whole = encodeURIComponent(short.join("")).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`
}

const longest = 120
