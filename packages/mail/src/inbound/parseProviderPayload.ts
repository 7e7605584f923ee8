/** Extracts an email and its envelope from a provider's request. */
import { parseOwnAddress } from "./address.ts"
import { getHeaderValues, parseHeaders } from "./parse/headers.ts"
import type { Envelope } from "./parse/ParsedMail.ts"

export interface ProviderPayload {
  readonly raw: Uint8Array
  readonly envelope: Envelope
}

/** A provider's request. */
export interface ProviderRequest {
  readonly contentType: string
  readonly body: Uint8Array
  /** The URL's query string. */
  readonly query: string
  readonly replyDomain: string
}

/**
 * Extracts the email, or returns `undefined` if the request does not contain a complete one. Looks for the email in the
 * body (`message/rfc822`), the `email` field (SendGrid with "POST the raw, full MIME message"), the `body-mime` field
 * (Mailgun), or the `RawEmail` property in JSON (Postmark). Without an envelope, the addresses are read from the
 * headers.
 */
export const parseProviderPayload = (posted: ProviderRequest): ProviderPayload | undefined => {
  const { body, contentType, replyDomain } = posted
  // In a worker thread, a posted `Buffer` arrives as a `Uint8Array`.
  const { from, raw, to } = extractParts(contentType, Buffer.from(body.buffer, body.byteOffset, body.byteLength))
  if (raw === undefined || raw.length === 0) return undefined
  const query = new URLSearchParams(posted.query)
  const isOwnAddress = (address: string): boolean => parseOwnAddress(address, replyDomain) !== undefined
  const recipients = [...query.getAll("to"), ...to].filter((address) => isOwnAddress(address))
  const addresses = recipients.length > 0
    ? recipients
    : findHeaderAddresses(raw).filter((address) => isOwnAddress(address))
  return { raw, envelope: { from: query.get("from") ?? from, to: [...new Set(addresses)].slice(0, 20) } }
}

interface Parts {
  readonly raw: Buffer | undefined
  /** The envelope sender, which is empty for automatic notices and null if unknown. */
  readonly from: string | null
  readonly to: ReadonlyArray<string>
}

const extractParts = (contentType: string, body: Buffer): Parts => {
  if (/^message\/rfc822\b|^application\/octet-stream\b|^text\/plain\b/i.test(contentType)) {
    return { raw: body, from: null, to: [] }
  }
  if (/^application\/json\b/i.test(contentType)) return extractJsonParts(body)
  const fields = parseFormFields(contentType, body)
  const { from, to } = parseObject(fields?.get("envelope")?.toString())
  return {
    raw: fields?.get("email") ?? fields?.get("body-mime"),
    from: toText(from) ?? fields?.get("sender")?.toString() ?? null,
    to: [...toTexts(to), ...(fields?.get("recipient")?.toString().split(",") ?? [])]
  }
}

const extractJsonParts = (body: Buffer): Parts => {
  const fields = parseObject(body.toString())
  const raw = toText(fields["RawEmail"])
  return {
    raw: raw === undefined ? undefined : Buffer.from(raw),
    from: null,
    to: toTexts([fields["OriginalRecipient"]])
  }
}

const parseObject = (json: string | undefined): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(json ?? "")
    return typeof value === "object" && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const toText = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

const toTexts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.flatMap((each) => typeof each === "string" ? [each] : []) : []

/** Returns the recipient addresses from the headers. Headers that servers add in transit come first. */
const findHeaderAddresses = (raw: Uint8Array): ReadonlyArray<string> => {
  const headers = parseHeaders(raw) ?? []
  const values = ["x-original-to", "delivered-to", "envelope-to", "x-forwarded-to", "to", "cc"]
    .flatMap((key) => getHeaderValues(headers, key))
  // Join the values with a line break, because no address contains one.
  return findAddresses(values.join("\n"), maxAddresses)
}

/**
 * Finds the email addresses in a text in a single pass. A regular expression for the part before the `@` would
 * backtrack at every position in a long word.
 */
const findAddresses = (text: string, limit: number): ReadonlyArray<string> => {
  const addresses: Array<string> = []
  let end = 0
  for (let at = text.indexOf("@"); at >= 0 && addresses.length < limit; at = text.indexOf("@", at + 1)) {
    let start = at
    while (start > end && /[\w.+-]/.test(text[start - 1] ?? "")) start--
    const from = start
    end = at + 1
    while (/[\w.-]/.test(text[end] ?? "")) end++
    if (from < at && end > at + 1) addresses.push(text.slice(from, end))
  }
  return addresses
}

const maxAddresses = 100

/**
 * Returns the first value of each field in a `multipart/form-data` or `application/x-www-form-urlencoded` body. Returns
 * `undefined` for any other type and for a malformed body. The values are bytes, because other form parsers decode
 * fields without a file name as text, which would alter an email.
 */
export const parseFormFields = (contentType: string, body: Buffer): ReadonlyMap<string, Buffer> | undefined => {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return parseUrlencoded(body)
  const [, quotedValue, bareValue] =
    /^multipart\/form-data;.*?\bboundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(contentType) ??
      []
  const boundary = quotedValue ?? bareValue
  return boundary === undefined ? undefined : parseMultipart(body, boundary)
}

const parseMultipart = (body: Buffer, boundary: string): ReadonlyMap<string, Buffer> | undefined => {
  const fields = new Map<string, Buffer>()
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  let at = body.indexOf(delimiter.subarray(2))
  if (at !== 0 && (at = body.indexOf(delimiter)) < 0) return undefined
  at = body.indexOf("\r\n", at + 2) + 2
  for (let n = 0; n < maxFields && at > 1; n++) {
    const headersEnd = body.indexOf("\r\n\r\n", at)
    const end = headersEnd < 0 ? -1 : body.indexOf(delimiter, headersEnd + 2)
    if (end < 0) return undefined
    const headers = body.subarray(at, Math.min(headersEnd, at + 4096)).toString()
    const [, quotedName, bareName] =
      /^content-disposition:[^\r\n]*?[; ]name=(?:"([^"\r\n]*)"|([^\s;"]+))/im.exec(headers) ?? []
    const name = quotedName ?? bareName
    if (name !== undefined && !fields.has(name)) fields.set(name, body.subarray(headersEnd + 4, end))
    const delimiterEnd = end + delimiter.length
    if (body.subarray(delimiterEnd, delimiterEnd + 2).toString() === "--") return fields
    at = body.indexOf("\r\n", delimiterEnd) + 2
  }
  return undefined
}

const parseUrlencoded = (body: Buffer): ReadonlyMap<string, Buffer> => {
  const fields = new Map<string, Buffer>()
  let at = 0
  for (let n = 0; n < maxFields && at < body.length; n++) {
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
    const [high, low] = code === 0x25 ? [parseHexDigit(text[at + 1]), parseHexDigit(text[at + 2])] : [-1, -1]
    if (high < 0 || low < 0) bytes[length++] = code === 0x2B ? 0x20 : code
    else {
      bytes[length++] = high * 16 + low
      at += 2
    }
  }
  return bytes.subarray(0, length)
}

/** Returns the value of a hexadecimal digit, or a negative number for any other character. */
const parseHexDigit = (code = 0): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

const maxFields = 200
