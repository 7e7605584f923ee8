/** Reads request bodies that contain a JSON object. */
import { invalid, type Refusal, refuse, truncateText } from "@trailbook/core"
import { defaultMaxBodyBytes } from "@trailbook/core/operation/Operation"
import { formatUnknownFieldMessage } from "@trailbook/core/wire"
import * as Effect from "effect/Effect"
import { decodeUtf8 } from "./decodeUtf8.ts"
import { readBytes, type ReadBytesOptions } from "./readBytes.ts"

export type Body = Readonly<Record<string, unknown>>

export interface Options extends ReadBytesOptions {
  /** Checks the text of a body over 4 KiB before it is parsed, for example to find unknown names. */
  readonly check?: ((text: string) => Refusal | undefined) | undefined
}

/**
 * Reads a request body. A missing body is treated as an empty object. The limit is `maxBytes`, which defaults to 64
 * KiB.
 */
export const read = (request: Request, options: Options = {}): Effect.Effect<Body, Refusal> =>
  Effect.flatMap(
    readBytes(request, { maxBytes: defaultMaxBodyBytes, ...options }),
    (bytes) => bytes.byteLength === 0 ? emptyBody : decode(request, bytes, options.check)
  )

export const refuseUnknownField = (name: string, fields: ReadonlyArray<string>): Refusal<"invalid_request"> =>
  invalid(`${truncateText(name)}: ${formatUnknownFieldMessage(fields)}`)

/** Whether a request has a body. An empty body is treated as missing. */
export const isPresent = ({ headers }: Request): boolean => {
  const length = headers.get("content-length")
  return length === null ? headers.get("transfer-encoding") !== null : length !== "0"
}

const emptyBody = Effect.succeed<Body>({})

const decode = (
  { headers }: Request,
  bytes: Uint8Array,
  check: Options["check"]
): ReturnType<typeof read> => {
  if (!isJson(headers.get("content-type"))) return Effect.fail(notJson)
  if (headers.get("content-encoding") !== null) return Effect.fail(encodingRefusal)
  const text = decodeUtf8(bytes)
  if (text === undefined) return invalid("The body is not valid UTF-8.")
  const refusal = text.length > minScannedLength ? check?.(text) : undefined
  if (refusal !== undefined) return refusal
  const value = parseJson(text)
  if (value === undefined) return invalid("The body is not valid JSON.")
  if (isDeeperThan(value, maxLevels)) return invalid(`The body must be at most ${maxLevels} levels deep.`)
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Effect.succeed(value as Body)
    : invalid("The body must be a JSON object.")
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Bodies longer than this are scanned before they are parsed. For shorter bodies, parsing is faster than scanning. */
const minScannedLength = 4096

/** Refuses the first unknown name in a JSON object. Accepts text that is not an object. */
export const checkFieldNames = (text: string, fields: ReadonlyArray<string>): Refusal | undefined => {
  for (const [name] of listMembers(text)) if (!fields.includes(name)) return refuseUnknownField(name, fields)
  return undefined
}

/**
 * Yields each name in a JSON object along with the text of its value, without parsing the object. Parsing 1 MiB of
 * unknown names would take 460 ms. If the text is not a JSON object, the results are incomplete, but the parser rejects
 * the text afterward.
 */
export function* listMembers(text: string): Generator<readonly [name: string, value: string]> {
  if (text.trimStart()[0] !== "{") return
  let depth = 0
  let name: unknown
  let valueStart = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "\"") {
      const end = findStringEnd(text, at)
      if (depth === 1 && name === undefined) {
        name = parseJson(text.slice(at, end))
        valueStart = end
      }
      at = end - 1
    } else if (character === "{" || character === "[") depth++
    else if (character === "}" || character === "]") depth--
    if (depth === 0 || depth === 1 && character === ",") {
      if (typeof name === "string") yield [name, text.slice(valueStart, at).replace(/^\s*:/, "")]
      name = undefined
    }
  }
}

/** Returns the position after the closing quote of a string that starts at `start`. */
const findStringEnd = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at]
    if (character === "\\") at++
    else if (character === "\"") return at + 1
  }
  return text.length
}

/**
 * The maximum nesting depth of a body. Valid requests are much shallower. The limit prevents a stack overflow in the
 * recursive formatter for error messages.
 */
const maxLevels = 32

const isDeeperThan = (value: unknown, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (isDeeperThan(inner, levels - 1)) return true
  }
  return false
}

const notJson = refuse("unsupported_media_type")

const encodingRefusal = refuse("unsupported_media_type", "Unsupported Content-Encoding. Send the body uncompressed.")

/** Whether a `Content-Type` is JSON in UTF-8, ignoring case and other parameters. */
const isJson = (contentType: string | null): boolean => {
  if (contentType === "application/json") return true
  const [type, ...parameters] = (contentType ?? "").toLowerCase().split(";").map((part) => part.trim())
  return type === "application/json" &&
    parameters.every((parameter) => !parameter.startsWith("charset=") || utf8.has(parameter.slice("charset=".length)))
}

const utf8 = new Set(["utf-8", "\"utf-8\"", "utf8"])
