/**
 * Reads a request body of at most 1 MiB, or the limit of the reader. The limit applies to the bytes received,
 * regardless of the declared length.
 *
 * Large bodies share a memory budget across all callers, because hundreds of unfinished uploads could exhaust the
 * memory. Small bodies are always read; booking requests are small.
 */
import { invalid, type Refusal, refuse } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import * as MemoryBudget from "./MemoryBudget.ts"

export interface Limits {
  /** Default 1 MiB. */
  readonly maxBytes?: number | undefined
  /** Receives the length of the body: before it is read if the request declares it, otherwise afterwards. */
  readonly onLength?: ((bytes: number) => void) | undefined
}

/** Reads the body of a request. A missing body yields zero bytes. */
export const readBytes = (
  request: Request,
  { maxBytes = largestBytes, onLength }: Limits = {}
): Effect.Effect<Uint8Array, Refusal> => {
  const length = request.headers.get("content-length")
  if (length === null) return request.body === null ? none : fromStream(request.body, maxBytes, onLength)
  if (length === "0") return none
  const bytes = Number(length)
  if (bytes > maxBytes) return tooLarge(maxBytes)
  onLength?.(bytes)
  // The server's parser reads at most the declared length, so the body cannot exceed it.
  return bytes <= smallBytes ? whole(request, maxBytes) : room.within(bytes, whole(request, maxBytes))
}

const largestBytes = 1024 * 1024

const smallBytes = 64 * 1024

const room = MemoryBudget.make(
  32 * largestBytes,
  `Too many concurrent request bodies of more than ${smallBytes} bytes. Retry the request.`
)

const whole = (request: Request, maxBytes: number): Effect.Effect<Uint8Array, Refusal> =>
  Effect.tryPromise({ try: () => request.arrayBuffer(), catch: () => brokenOff }).pipe(
    Effect.flatMap((buffer) =>
      buffer.byteLength > maxBytes ? tooLarge(maxBytes) : Effect.succeed(new Uint8Array(buffer))
    )
  )

/** Without a declared length, a body that is no longer small reserves the maximum length. */
const fromStream = (
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  onLength: Limits["onLength"]
): Effect.Effect<Uint8Array, Refusal> =>
  Effect.suspend(() => {
    const reader = body.getReader()
    const chunks: Array<Uint8Array> = []
    const upTo = (bytes: number): Effect.Effect<boolean, Refusal> =>
      Effect.tryPromise({ try: () => collect(reader, chunks, bytes), catch: () => brokenOff })
    const rest = Effect.flatMap(upTo(maxBytes), (ended) => ended ? Effect.void : tooLarge(maxBytes))
    const all = maxBytes <= smallBytes
      ? rest
      : Effect.flatMap(upTo(smallBytes), (ended) => ended ? Effect.void : room.within(maxBytes, rest))
    return all.pipe(
      Effect.ensuring(Effect.sync(() => onLength?.(lengthOf(chunks)))),
      // Cancel the rest of an unwanted body.
      Effect.tapError(() => Effect.promise(() => reader.cancel().catch(() => {}))),
      Effect.map(() => joined(chunks))
    )
  })

/** Reads until the end or until more than `most` bytes arrived, and returns whether the end was reached. */
const collect = async (
  reader: ReadableStreamDefaultReader<Uint8Array>,
  chunks: Array<Uint8Array>,
  most: number
): Promise<boolean> => {
  let length = lengthOf(chunks)
  while (length <= most) {
    const next = await reader.read()
    if (next.done) return true
    chunks.push(next.value)
    length += next.value.byteLength
  }
  return false
}

const lengthOf = (chunks: ReadonlyArray<Uint8Array>): number => chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)

const joined = (chunks: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(lengthOf(chunks))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

const none = Effect.succeed(new Uint8Array(0))

const tooLarge = (maxBytes: number) => refuse("too_large", `The body must be at most ${maxBytes} bytes.`)

/** The caller disconnected during the body. The response is only logged. */
const brokenOff = invalid("The request body is incomplete.")
