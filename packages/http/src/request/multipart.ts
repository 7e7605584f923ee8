/**
 * Parses multipart forms with files (RFC 7578). Chunks can have any length. The listener receives each part's headers
 * before its bytes.
 */
import { Refusal, refuse, unavailable } from "@trailbook/core"
import * as Effect from "effect/Effect"

/** Receives a form's parts. */
export interface PartListener {
  /** Called when a part starts, with its `Content-Disposition`. Returns the function that consumes the part's bytes. */
  readonly onPart: (disposition: string) => (bytes: Uint8Array) => void
  /** Called if the form is malformed. */
  readonly onWrong: (message: string) => void
}

/** Returns the boundary from a form's `Content-Type`. Rejects other types and encoded bodies. */
export const parseBoundary = (request: Request, hint: string): Effect.Effect<string, Refusal> => {
  const type = request.headers.get("content-type") ?? ""
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type)) return refuse("unsupported_media_type", hint)
  if (request.headers.get("content-encoding") !== null) return refuse("unsupported_media_type", encodingMessage)
  const [, quotedText, plainText] = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? []
  const boundary = quotedText ?? plainText
  if (boundary === undefined) return Effect.fail(refuseBody("The form has no boundary."))
  // Reject short boundaries, which browsers never send. With a short boundary, the search takes 10 ns per line break,
  // and a sender can fill a form with line breaks.
  return boundary.length < 4
    ? Effect.fail(refuseBody("The form boundary must have at least 4 characters."))
    : Effect.succeed(boundary)
}

/** Splits a form at its boundary. Each part is passed on as views into the chunks, without copying. */
export class MultipartParser {
  readonly #delimiter: Buffer
  readonly #listener: PartListener
  /**
   * The bytes that cannot be parsed until the next chunk arrives. Starts with a line break, so that a boundary on the
   * first line is also found.
   */
  #rest: Buffer = Buffer.from("\r\n")
  #state: "data" | "boundary" | "head" | "end" = "data"
  #onBytes: (bytes: Uint8Array) => void = () => {}

  constructor(boundary: string, listener: PartListener) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
    this.#listener = listener
  }

  write(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const data = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    let at: number | undefined = 0
    let end = 0
    while (at !== undefined) {
      end = at
      at = this.#state === "end" ? undefined : this.#step(data, at)
    }
    // Copy the bytes, because a view would keep the entire chunk in memory.
    this.#rest = this.#state === "end"
      ? empty
      : Buffer.from(data.subarray(this.#state === "data" ? this.#findPartialDelimiter(data, end) : end))
  }

  end(): void {
    if (this.#state !== "end") this.#listener.onWrong("The form has no final boundary.")
  }

  /**
   * Reads the element at a position. Returns the position of the next element, or `undefined` if more bytes are needed.
   */
  #step(data: Buffer, at: number): number | undefined {
    if (this.#state === "boundary") return this.#readBoundary(data, at)
    if (this.#state === "head") return this.#readHead(data, at)
    const delimiterAt = data.indexOf(this.#delimiter, at)
    if (delimiterAt < 0) {
      const end = this.#findPartialDelimiter(data, at)
      if (end > at) this.#onBytes(data.subarray(at, end))
      return undefined
    }
    if (delimiterAt > at) this.#onBytes(data.subarray(at, delimiterAt))
    this.#state = "boundary"
    return delimiterAt + this.#delimiter.length
  }

  /** Returns the start of an incomplete delimiter at the end of the data, or the data's length if there is none. */
  #findPartialDelimiter(data: Buffer, from: number): number {
    for (let at = Math.max(from, data.length - this.#delimiter.length + 1); at < data.length; at++) {
      if (data[at] === carriageReturn && this.#delimiter.compare(data, at, data.length, 0, data.length - at) === 0) {
        return at
      }
    }
    return data.length
  }

  #readBoundary(data: Buffer, at: number): number | undefined {
    if (data.length - at < 2) return undefined
    if (data.toString("latin1", at, at + 2) === "--") return this.#stop()
    const end = data.indexOf("\r\n", at)
    const padding = data.toString("latin1", at, end < 0 ? data.length : end)
    if (padding.length > maxPaddingLength || !/^[ \t]*\r?$/.test(padding)) {
      return this.#stop("A form boundary does not start on a new line.")
    }
    if (end < 0) return undefined
    this.#state = "head"
    return end + 2
  }

  #readHead(data: Buffer, at: number): number | undefined {
    const end = data.indexOf("\r\n\r\n", at)
    if (data.toString("latin1", at, at + 2) === "\r\n" || (end < 0 ? data.length : end) - at > maxHeadLength) {
      return this.#stop("A form part has no header.")
    }
    if (end < 0) return undefined
    this.#state = "data"
    this.#onBytes = this.#listener.onPart(parseHeader(data.toString("utf8", at, end), "content-disposition"))
    return end + 4
  }

  #stop(message?: string): undefined {
    this.#state = "end"
    if (message !== undefined) this.#listener.onWrong(message)
    return undefined
  }
}

/** Reads a form incrementally. */
export interface FormReader<A> {
  /** The refusal, if the form is invalid. */
  readonly refusal: Refusal | undefined
  readonly write: (chunk: Uint8Array) => void
  readonly end: () => void
  /** The result, which is available once the form has ended. */
  readonly result: A
}

/** Reads a form until it ends or turns out to be invalid. The rest of an invalid form is not read. */
export const readForm = <A>(body: ReadableStream<Uint8Array>, form: FormReader<A>): Effect.Effect<A, Refusal> =>
  Effect.suspend(() => {
    const reader = body.getReader()
    let bytes = 0
    const readToEnd = Effect.tryPromise({
      try: async () => {
        while (form.refusal === undefined) {
          const { done, value } = await reader.read()
          if (done) return form.end()
          bytes += value.byteLength
          form.write(value)
        }
      },
      catch: () => refuseBody("The request body is incomplete.")
    })
    return Effect.flatMap(
      Effect.raceFirst(readToEnd, failIfSlow(() => bytes)),
      () => form.refusal ?? Effect.succeed(form.result)
    )
      .pipe(
        Effect.onError(() => Effect.promise(() => reader.cancel().catch(() => {})))
      )
  })

/** Fails if the body arrives more slowly than the minimum rate. */
const failIfSlow = (countBytes: () => number): Effect.Effect<never, Refusal> => {
  const check = (seconds: number): Effect.Effect<never, Refusal> =>
    Effect.flatMap(
      Effect.sleep(checkSeconds * 1000),
      () => countBytes() < (seconds - graceSeconds) * minBytesPerSecond ? tooSlow : check(seconds + checkSeconds)
    )
  return check(checkSeconds)
}

const checkSeconds = 5
const graceSeconds = 5
const minBytesPerSecond = 8 * 1024

const tooSlow = unavailable(
  `The upload was slower than ${minBytesPerSecond} bytes per second. Retry over a faster connection.`,
  5
)

export const refuseBody = (message: string): Refusal => new Refusal({ code: "invalid_request", message })

/**
 * Returns the value of a header in a part, or an empty string. A line that starts with a space continues the previous
 * line.
 */
const parseHeader = (head: string, name: string): string => {
  for (const line of head.replace(/\r\n[ \t]+/g, " ").split("\r\n")) {
    const colon = line.indexOf(":")
    if (line.slice(0, colon).trim().toLowerCase() === name) return line.slice(colon + 1).trim()
  }
  return ""
}

const empty = Buffer.alloc(0)

const carriageReturn = 13

const maxPaddingLength = 100

const maxHeadLength = 16 * 1024

const encodingMessage = "Unsupported Content-Encoding. Send the body uncompressed."
