/** A strict RFC 5545 parser that checks the writer. */

export interface Property {
  readonly name: string
  readonly value: string
}

/** Returns the raw lines. Throws if a line does not end with CRLF or contains another line break. */
export const physicalLines = (ics: string): ReadonlyArray<string> => {
  if (!ics.endsWith("\r\n")) throw new Error("the last line has no end")
  const lines = ics.slice(0, -2).split("\r\n")
  if (lines.some((line) => /[\r\n]/.test(line))) throw new Error("a bare CR or LF")
  return lines
}

export const properties = (ics: string): ReadonlyArray<Property> =>
  physicalLines(ics).join("\r\n").replaceAll("\r\n ", "").split("\r\n").map((line) => {
    const colon = line.indexOf(":")
    return { name: line.slice(0, colon), value: line.slice(colon + 1) }
  })

export const valueOf = (ics: string, name: string): string => {
  const matches = properties(ics).filter((property) => property.name === name)
  if (matches.length !== 1) throw new Error(`${matches.length} of ${name}`)
  return matches[0]?.value ?? ""
}

/** Unescapes a TEXT value. Throws for an unescaped character that TEXT must escape. */
export const unescapeText = (value: string): string => {
  const escape = /\\([\\;,nN])/g
  if (/[\\;,]/.test(value.replace(escape, ""))) throw new Error(`not escaped: ${value}`)
  return value.replace(escape, (_, character: string) => character.toLowerCase() === "n" ? "\n" : character)
}

/** Converts a time such as `20260606T150000Z` to epoch milliseconds. */
export const millis = (value: string): number =>
  Date.parse(value.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"))
