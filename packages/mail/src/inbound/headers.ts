/**
 * Parses the headers of a mail separately. Decisions are based on these headers and not on those of the body parser,
 * which takes the first of two From headers. A body that cannot be parsed must not hide the sender.
 */

export interface Header {
  /** Lowercase. */
  readonly key: string
  /** Unfolded, with encoded words unchanged. */
  readonly value: string
}

/** Returns the headers of a mail in order, or `undefined` if they are longer than any mail program writes. */
export const parseHeaders = (raw: Uint8Array): ReadonlyArray<Header> | undefined => {
  const end = endOf(raw)
  if (end === undefined) return undefined
  const text = decoded(raw.subarray(0, end))
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

export const headerValues = (headers: ReadonlyArray<Header>, key: string): ReadonlyArray<string> =>
  headers.filter((header) => header.key === key).map(({ value }) => value)

/** Returns the position of the blank line, or the end of a mail without a body. */
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

/** Decodes headers as UTF-8, and invalid UTF-8 byte by byte, so that nothing is lost. */
const decoded = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString("latin1")
  }
}
