/**
 * Parses an email's headers independently of the body parser. The body parser would use the first of two From headers,
 * and a malformed body must not hide the sender. All decisions are based on these headers.
 */

export interface Header {
  /** The lowercase header name. */
  readonly key: string
  /** The unfolded value. Encoded words are not decoded. */
  readonly value: string
}

/** Returns the headers in order, or `undefined` if they exceed 256 KiB, which no mail program produces. */
export const parseHeaders = (raw: Uint8Array): ReadonlyArray<Header> | undefined => {
  const end = endOf(raw)
  if (end === undefined) return undefined
  const text = decodeBytes(raw.subarray(0, end))
  const headers: Array<{ key: string; value: string }> = []
  for (const line of text.split(/\r?\n/)) {
    const last = headers.at(-1)
    if (/^[ \t]/.test(line)) {
      if (last !== undefined) last.value += ` ${line.trim()}`
      continue
    }
    const colon = line.indexOf(":")
    if (colon > 0) headers.push({ key: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() })
  }
  return headers
}

export const getHeaderValues = (headers: ReadonlyArray<Header>, key: string): ReadonlyArray<string> =>
  headers.filter((header) => header.key === key).map(({ value }) => value)

/** Returns the position of the blank line after the headers, or the email's length if it has no body. */
const endOf = (raw: Uint8Array): number | undefined => {
  let lineStart = 0
  for (let at = 0; at < raw.length; at++) {
    if (at > mostBytes) return undefined
    if (raw[at] !== 0x0A) continue
    const length = at - lineStart
    if (length === 0 || length === 1 && raw[lineStart] === 0x0D) return at
    lineStart = at + 1
  }
  return raw.length > mostBytes ? undefined : raw.length
}

const mostBytes = 256 * 1024

/** Decodes headers as UTF-8, or byte by byte if the UTF-8 is invalid, so that no byte is lost. */
const decodeBytes = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString("latin1")
  }
}
