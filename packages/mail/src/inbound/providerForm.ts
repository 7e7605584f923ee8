/**
 * Parses form fields as bytes. Other form parsers decode fields without a file name as text, which would alter an
 * email.
 */

/**
 * Returns the first value of each field in a `multipart/form-data` or `application/x-www-form-urlencoded` body. Returns
 * `undefined` for any other type and for a malformed body.
 */
export const parseFormFields = (contentType: string, body: Buffer): ReadonlyMap<string, Buffer> | undefined => {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return parseUrlencoded(body)
  const [, quotedValue, bareValue] =
    /^multipart\/form-data;.*?\bboundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(contentType) ??
      []
  const boundary = quotedValue ?? bareValue
  return boundary === undefined ? undefined : multipart(body, boundary)
}

const multipart = (body: Buffer, boundary: string): ReadonlyMap<string, Buffer> | undefined => {
  const fields = new Map<string, Buffer>()
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  let at = body.indexOf(delimiter.subarray(2))
  if (at !== 0 && (at = body.indexOf(delimiter)) < 0) return undefined
  at = body.indexOf("\r\n", at + 2) + 2
  for (let n = 0; n < mostFields && at > 1; n++) {
    const headersEnd = body.indexOf("\r\n\r\n", at)
    const end = headersEnd < 0 ? -1 : body.indexOf(delimiter, headersEnd + 2)
    if (end < 0) return undefined
    const headers = body.subarray(at, Math.min(headersEnd, at + 4096)).toString()
    const [, quotedName, bareName] =
      /^content-disposition:[^\r\n]*?[; ]name=(?:"([^"\r\n]*)"|([^\s;"]+))/im.exec(headers) ?? []
    const name = quotedName ?? bareName
    if (name !== undefined && !fields.has(name)) fields.set(name, body.subarray(headersEnd + 4, end))
    const after = end + delimiter.length
    if (body.subarray(after, after + 2).toString() === "--") return fields
    at = body.indexOf("\r\n", after) + 2
  }
  return undefined
}

const parseUrlencoded = (body: Buffer): ReadonlyMap<string, Buffer> => {
  const fields = new Map<string, Buffer>()
  let at = 0
  for (let n = 0; n < mostFields && at < body.length; n++) {
    const next = body.indexOf("&", at)
    const end = next < 0 ? body.length : next
    const equals = body.subarray(at, end).indexOf("=")
    if (equals > 0) {
      const name = unescapePercent(body.subarray(at, at + equals)).toString()
      if (!fields.has(name)) fields.set(name, unescapePercent(body.subarray(at + equals + 1, end)))
    }
    at = end + 1
  }
  return fields
}

const unescapePercent = (text: Buffer): Buffer => {
  const bytes = Buffer.alloc(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text[at] ?? 0
    const [high, low] = code === 0x25 ? [digit(text[at + 1]), digit(text[at + 2])] : [-1, -1]
    if (high < 0 || low < 0) bytes[length++] = code === 0x2B ? 0x20 : code
    else {
      bytes[length++] = high * 16 + low
      at += 2
    }
  }
  return bytes.subarray(0, length)
}

/** Returns the value of a hexadecimal digit, or a negative number for any other character. */
const digit = (code = 0): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

const mostFields = 200
