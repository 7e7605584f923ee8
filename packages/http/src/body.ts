/**
 * Bodies: JSON objects.
 */
import { invalid, type Refusal, refuse } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { bytesOf } from "./bodyBytes.ts"
import { decodeUtf8 } from "./decodeUtf8.ts"
import { isJson } from "./isJson.ts"

/**
 * @category models
 */
export type Body = Readonly<Record<string, unknown>>

/**
 * Reads the body of a request; none at all is an empty object.
 *
 * @category decoding
 */
export const read = (request: Request): Effect.Effect<Body, Refusal> =>
  Effect.flatMap(bytesOf(request), (bytes) => bytes.byteLength === 0 ? nothing : decode(request, bytes))

/**
 * Whether something comes with a request that takes no body. An empty one does
 * no harm.
 *
 * @category predicates
 */
export const isPresent = ({ headers }: Request): boolean => {
  const length = headers.get("content-length")
  return length === null ? headers.get("transfer-encoding") !== null : length !== "0"
}

const nothing = Effect.succeed<Body>({})

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

const notJson = refuse("unsupported_media_type")

const encoded = refuse("unsupported_media_type", "Send the body without a Content-Encoding.")
