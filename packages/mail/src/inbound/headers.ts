/**
 * The headers of a mail by themselves. What decides about a mail is read here and
 * not by the parser of its body: that takes the first of two From headers, and a
 * body that cannot be read would hide who sent it.
 */

export interface Header {
  /** Lower case. */
  readonly key: string
  /** Unfolded; words are encoded as they came. */
  readonly value: string
}

/**
 * The headers of a mail in their order; `undefined` when they are longer than any
 * mail program writes them.
 */
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

/** Where the blank line is, or the end of a mail without a body. */
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

/** Headers are ASCII, or UTF-8; what is neither is read byte by byte, so that nothing of it is lost. */
const decoded = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString("latin1")
  }
}
