/**
 * Parses an email sent to one of Trailbook's own addresses. Determines its author, its text, and whether Trailbook
 * accepts it. The parser does not use the database, so it can run in a worker thread.
 */
import type { InboundAttachment, ParsedMail, ReplyContext } from "@trailbook/core/conversation"
import { toSingleLine } from "@trailbook/core/mail"
import { createHash } from "node:crypto"
import PostalMime, { type Attachment, decodeWords, type Email } from "postal-mime"
import { checkDmarc, type DnsResolver } from "../checkDmarc.ts"
import { classifyMail } from "../classifyMail.ts"
import { getHeaderValues, type Header, parseHeaders } from "./headers.ts"
import { limitComplexity } from "./limitComplexity.ts"
import { parseDeliveryReport } from "./parseDeliveryReport.ts"
import { type DmarcVerdict, type Envelope, makeDroppedResult, type ParseResult } from "./ParsedMail.ts"
import { decodeWindows1252, toPlainText } from "./plainText.ts"
import { splitQuotedText, stripQuotedText } from "./stripQuotedText.ts"

/** A parse request that can be posted to a worker thread. */
export interface ParseRequest {
  readonly raw: Uint8Array
  readonly envelope: Envelope
  /** The conversation behind the recipient address, or `reports` for a sent email's report address. */
  readonly to: ReplyContext | "reports"
  readonly replyDomain: string
  /** The DMARC result from a trusted relay, or null if Trailbook still has to check DMARC. */
  readonly verdict: DmarcVerdict | null
}

/** An email, along with all of its recipients. */
export interface SharedParseRequest extends Omit<ParseRequest, "to"> {
  readonly to: ReadonlyArray<ParseRequest["to"]>
}

interface Options {
  readonly resolver?: DnsResolver
  readonly verdictWithinMs?: number
}

/** Parses an email for each of its recipients, in order. The body is parsed and DMARC is checked only once. */
export const parseForAllRecipients = async (
  { to, ...mail }: SharedParseRequest,
  { resolver, verdictWithinMs = 5000 }: Options = {}
): Promise<ReadonlyArray<ParseResult>> => {
  const { envelope, raw } = mail
  const email = once(() => parseWithLimits(raw))
  // All recipients share the From address, so one check is enough.
  const verify = once(async (domain: string) =>
    mail.verdict ?? await withTimeout(verdictWithinMs, checkDmarc(raw, envelope, domain, resolver))
  )
  const results: Array<ParseResult> = []
  for (const recipient of to) results.push(await readOne({ ...mail, to: recipient }, email, verify))
  return results
}

/** Parses an email for one recipient. */
export const parseMail = async (request: ParseRequest, options?: Options): Promise<ParseResult> => {
  const [result = makeDroppedResult("unreadable")] = await parseForAllRecipients(
    { ...request, to: [request.to] },
    options
  )
  return result
}

const once = <A extends ReadonlyArray<unknown>, B>(make: (...args: A) => B): (...args: A) => B => {
  let cache: { readonly value: B } | undefined
  return (...args) => (cache ??= { value: make(...args) }).value
}

const readOne = async (
  request: ParseRequest,
  parse: () => Promise<Email | undefined>,
  verify: (domain: string) => Promise<DmarcVerdict | null>
): Promise<ParseResult> => {
  const { to } = request
  if (to === "reports") {
    const email = await parse()
    return email === undefined
      ? makeDroppedResult("unreadable")
      : parseDeliveryReport(email) ?? makeDroppedResult("automatic")
  }
  const headerResult = readHeaders(request)
  if (headerResult._tag !== "Message") return headerResult
  const { email } = headerResult.mail.from
  const verdict = await verify(email.slice(email.lastIndexOf("@") + 1))
  if (verdict === "fail") return makeDroppedResult("forged")
  // A DNS failure is inconclusive, so the sending server must retry later.
  if (to.strict && verdict === null) return makeDroppedResult("undecided")
  if (to.strict && verdict !== "pass") return makeDroppedResult("unverified")
  const parsedEmail = await parse()
  if (to.strict) {
    return parsedEmail === undefined
      ? makeDroppedResult("unreadable")
      : parseStrictly(headerResult.mail, parsedEmail, to)
  }
  return parsedEmail === undefined
    ? headerResult
    : { ...headerResult, mail: { ...headerResult.mail, ...await extractContent(parsedEmail, to) } }
}

/**
 * Parses a staff member's reply. The guest must not receive a placeholder, so an email without text lists its file
 * names instead. An email without text or files is dropped.
 */
const parseStrictly = async (mail: MailContent, email: Email, to: ReplyContext): Promise<ParseResult> => {
  const files = mailedFiles(email)
  const { body, cut } = splitQuotedText(await toPlainText(email), to)
  const text = body === "" ? files.map(({ name }) => name).filter((name) => name !== "").join("\n") : body
  return text === ""
    ? makeDroppedResult("unreadable")
    : { _tag: "Message", mail: { ...mail, body: text, quotedText: cut, files } }
}

type MailContent = Extract<ParseResult, { readonly _tag: "Message" }>["mail"]

/** Builds a result from the headers alone, because the email cannot be parsed. */
export const parseHeadersOnly = (request: ParseRequest): ParseResult => {
  if (request.to === "reports") return makeDroppedResult("unreadable")
  const headerResult = readHeaders(request)
  return headerResult._tag === "Message" && request.to.strict ? makeDroppedResult("unreadable") : headerResult
}

/**
 * Reads the headers, which a malformed body cannot affect. Returns the email without its text, or the reason to drop
 * it.
 */
const readHeaders = ({ envelope, raw, replyDomain, to }: ParseRequest): ParseResult => {
  if (to === "reports") return makeDroppedResult("automatic")
  const headers = parseHeaders(raw)
  if (headers === undefined) return makeDroppedResult("unreadable")
  const classification = classifyMail(headers, envelope, { senderEmail: to.senderEmail, replyDomain })
  if (classification._tag === "Dropped") return classification
  // A staff member's auto-reply must not reach the guest, even if only nonstandard headers mark it as automatic.
  if (to.strict && classification.automatic) return makeDroppedResult("automatic")
  return {
    _tag: "Message",
    mail: {
      mailKey: computeMailKey(headers, raw),
      messageId: findMessageId(headers),
      // Use the stored address, because the email can encode the domain differently.
      from: { name: decodeHeader(classification.from.name, 120), email: to.senderEmail },
      subject: decodeHeader(getHeaderValues(headers, "subject")[0] ?? "", 200),
      automatic: classification.automatic,
      body: unreadablePlaceholder,
      quotedText: "",
      files: []
    }
  }
}

/** The placeholder for an email that cannot be parsed. It tells the outfitter that the guest wrote something. */
const unreadablePlaceholder = "[This email cannot be shown. Ask the sender to send it again as plain text.]"

/** The placeholder for an empty email. */
const emptyPlaceholder = "[This email is empty.]"

const extractContent = async (
  email: Email,
  to: ReplyContext
): Promise<Pick<ParsedMail, "body" | "quotedText" | "files">> => {
  const files = mailedFiles(email)
  const { body, cut } = stripQuotedText(await toPlainText(email), to)
  return { body: body === "" && files.length === 0 ? emptyPlaceholder : body, quotedText: cut, files }
}

/** Parses the email, or returns `undefined` if it is too complex, too deeply nested, or malformed. */
const parseWithLimits = async (raw: Uint8Array): Promise<Email | undefined> => {
  const simplifiedEmail = limitComplexity(raw)
  if (simplifiedEmail === undefined) return undefined
  try {
    // An attached email remains a file, because someone else wrote its text.
    return await PostalMime.parse(simplifiedEmail, {
      forceRfc822Attachments: true,
      maxNestingDepth: 32,
      maxHeadersSize: 1024 * 1024,
      maxRfc822NestingDepth: 3
    })
  } catch {
    return undefined
  }
}

/**
 * Identifies an email, so that copies of it are stored only once. All copies have the same Message-ID and date,
 * regardless of their route. The date is included, because some programs reuse a Message-ID.
 */
const computeMailKey = (headers: ReadonlyArray<Header>, raw: Uint8Array): string => {
  const id = findMessageId(headers)
  const digest = createHash("sha256")
  return (id === null ? digest.update(raw) : digest.update(`${id}\n${getHeaderValues(headers, "date").join()}`)).digest(
    "hex"
  )
}

const findMessageId = (headers: ReadonlyArray<Header>): string | null => {
  const id = /<[!-;=?-~]{1,500}>/.exec(getHeaderValues(headers, "message-id")[0] ?? "")?.[0]
  return id ?? null
}

const decodeHeader = (value: string, maxLength: number): string =>
  Array.from(toSingleLine(decodeWindows1252(decodeWords(value)))).slice(0, maxLength).join("").trim()

/** Returns the verdict, or `null` after a timeout or failure, because a DNS failure must not lose an email. */
const withTimeout = (timeoutMs: number, verdict: Promise<DmarcVerdict | null>): Promise<DmarcVerdict | null> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs)
  })
  return Promise.race([verdict.catch(() => null), timeout]).finally(() => clearTimeout(timer))
}

/**
 * Returns an email's attachments, up to 20. Small inline images are dropped, because most of them are signature logos.
 * Large inline images are usually the author's photos.
 */
const mailedFiles = ({ attachments }: Pick<Email, "attachments">): ReadonlyArray<InboundAttachment> =>
  attachments.filter((each) => !isDecoration(each)).slice(0, mostFiles).map(({ content, filename, mimeType }) => ({
    name: Array.from(toSingleLine(decodeWindows1252(filename ?? ""))).slice(0, 200).join(""),
    type: mimeType,
    bytes: bytesOf(content)
  }))

const isDecoration = ({ content, related }: Attachment): boolean =>
  related === true && bytesOf(content).length < leastPhotoBytes

const bytesOf = (content: Attachment["content"]): Uint8Array =>
  typeof content === "string"
    ? new TextEncoder().encode(content)
    : content instanceof Uint8Array
    ? content
    : new Uint8Array(content)

const mostFiles = 20
const leastPhotoBytes = 24 * 1024
