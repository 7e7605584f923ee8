/**
 * Bodies: JSON objects of at most 1 MiB (decision 4). Never more than that is
 * held, however much is sent and whatever its length was said to be.
 *
 * @since 0.1.0
 */
import { invalid, type Refusal } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { Failure } from "./Failure.ts"
import { isJson } from "./isJson.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type Body = Readonly<Record<string, unknown>>

/**
 * Reads the body of a request; none at all is an empty object.
 *
 * @since 0.1.0
 * @category decoding
 */
export const read = (request: Request): Effect.Effect<Body, Failure | Refusal<"invalid_request">> =>
  Effect.flatMap(bytesOf(request), (bytes) => bytes.byteLength === 0 ? nothing : decode(request, bytes))

/**
 * Whether something comes with a request that takes no body. An empty one does
 * no harm.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isPresent = ({ headers }: Request): boolean => {
  const length = headers.get("content-length")
  return length === null ? headers.get("transfer-encoding") !== null : length !== "0"
}

const maxBytes = 1024 * 1024

const nothing = Effect.succeed<Body>({})

type Bytes = Effect.Effect<Uint8Array, Failure | Refusal<"invalid_request">>

const bytesOf = (request: Request): Bytes => {
  const length = request.headers.get("content-length")
  if (length === null) return request.body === null ? none : fromStream(request.body)
  if (length === "0") return none
  if (Number(length) > maxBytes) return Effect.fail(tooLarge)
  // The length is what the server's parser reads at most, so this cannot grow past it.
  return Effect.tryPromise({ try: () => request.arrayBuffer(), catch: () => brokenOff }).pipe(
    Effect.flatMap((buffer) =>
      buffer.byteLength > maxBytes ? Effect.fail(tooLarge) : Effect.succeed(new Uint8Array(buffer))
    )
  )
}

const fromStream = (body: ReadableStream<Uint8Array>): Bytes =>
  Effect.flatMap(
    Effect.tryPromise({ try: () => collect(body), catch: () => brokenOff }),
    (bytes) => bytes === undefined ? Effect.fail(tooLarge) : Effect.succeed(bytes)
  )

/** `undefined` once there is too much; the rest is not read. */
const collect = async (body: ReadableStream<Uint8Array>): Promise<Uint8Array | undefined> => {
  const reader = body.getReader()
  const chunks: Array<Uint8Array> = []
  let length = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.byteLength
    if (length > maxBytes) {
      await reader.cancel()
      return undefined
    }
    chunks.push(next.value)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

const decode = ({ headers }: Request, bytes: Uint8Array): ReturnType<typeof read> => {
  if (!isJson(headers.get("content-type"))) return Effect.fail(notJson)
  if (headers.get("content-encoding") !== null) return Effect.fail(encoded)
  const text = decodeUtf8(bytes)
  if (text === undefined) return invalid("The body is not valid UTF-8.")
  const value = parse(text)
  if (value === undefined) return invalid("The body is not valid JSON.")
  if (isDeeper(value, maxLevels)) return invalid(`The body must be at most ${maxLevels} levels deep.`)
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Effect.succeed(value as Body)
    : invalid("The body must be a JSON object.")
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** No request goes nearly as deep, and what prints a wrong one for its refusal has a stack that ends. */
const maxLevels = 32

const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (isDeeper(inner, levels - 1)) return true
  return false
}

const none = Effect.succeed(new Uint8Array(0))

const tooLarge = new Failure(413, "too_large", `The body must be at most ${maxBytes} bytes long.`)

const notJson = new Failure(
  415,
  "unsupported_media_type",
  "Send the body as JSON in UTF-8, with Content-Type: application/json."
)

const encoded = new Failure(415, "unsupported_media_type", "Send the body without a Content-Encoding.")

/** The caller hung up within its body; the answer is for the log. */
const brokenOff = new Failure(400, "invalid_request", "The body broke off.")
