/**
 * Forms as browsers send them when they carry files (RFC 7578), parted by a library. A
 * form may come in pieces of any length, and what it says of each part is known before
 * the part's bytes are.
 */
import { Dicer } from "@fastify/busboy"
import { Refusal, refuse, unavailable } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"

/**
 * What hears of a form's parts.
 *
 * @category models
 */
export interface Listener {
  /** A part begins, with this `Content-Disposition`; says who takes its bytes. */
  readonly onPart: (disposition: string) => (bytes: Uint8Array) => void
  /** It is not a form. */
  readonly onWrong: (message: string) => void
}

/**
 * The boundary that the `Content-Type` of a form names; what is no form, or comes
 * encoded, is refused.
 *
 * @category parsing
 */
export const boundaryOf = (request: Request, wanted: string): Effect.Effect<string, Refusal> => {
  const type = request.headers.get("content-type") ?? ""
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type)) return refuse("unsupported_media_type", wanted)
  if (request.headers.get("content-encoding") !== null) return refuse("unsupported_media_type", encoded)
  const [, quoted, plain] = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  return boundary === undefined ? Effect.fail(wrong("The form has no boundary.")) : Effect.succeed(boundary)
}

/**
 * @category models
 */
export class Multipart {
  readonly #listener: Listener
  readonly #over: Promise<void>
  readonly #parts: Dicer

  constructor(boundary: string, listener: Listener) {
    // It would end itself at the first fault, and what was written then would wait for ever.
    const limits = { maxHeaderPairs: 100, maxHeaderSize: longestHead, autoDestroy: false }
    const parts = new Dicer({ boundary, ...limits })
    this.#listener = listener
    this.#parts = parts
    parts.on("part", (part) => this.#part(part))
    this.#over = new Promise((resolve) => {
      parts.on("finish", () => resolve())
      parts.on("error", () => {
        listener.onWrong("The form has no end.")
        resolve()
      })
    })
  }

  /** Goes on when it is understood. */
  async write(chunk: Uint8Array): Promise<void> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    await Promise.race([new Promise((resolve) => this.#parts.write(bytes, resolve)), this.#over])
  }

  async end(): Promise<void> {
    this.#parts.end()
    await this.#over
  }

  letGo(): void {
    this.#parts.removeAllListeners("part").destroy()
  }

  #part(part: Dicer.PartStream): void {
    let take: (chunk: Uint8Array) => void = () => {}
    let hasHead = false
    // Listened to from its beginning: what nobody takes stops the form.
    part.on("data", (chunk: Uint8Array) => take(chunk))
    part.on("error", () => {})
    part.on("end", () => hasHead || this.#listener.onWrong("A part of the form has no head."))
    part.on("header", (head) => {
      hasHead = true
      take = this.#listener.onPart(headerOf(head, "content-disposition"))
    })
  }
}

/**
 * A form on its way.
 *
 * @category models
 */
export interface Reading<A> {
  /** Set once it is known to be wrong. */
  readonly refusal: Refusal | undefined
  readonly parts: Multipart
  readonly write: (chunk: Uint8Array) => Promise<void>
  readonly end: () => Promise<void>
  /** What was read, once it has ended. */
  readonly read: A
}

/**
 * Reads to the end of the form, or to where it is known to be wrong: what comes then is
 * not read.
 *
 * @category reading
 */
export const received = <A>(body: ReadableStream<Uint8Array>, form: Reading<A>): Effect.Effect<A, Refusal> =>
  Effect.suspend(() => {
    const reader = body.getReader()
    let bytes = 0
    const reading = Effect.tryPromise({
      try: async () => {
        while (form.refusal === undefined) {
          const { done, value } = await reader.read()
          if (done) return form.end()
          bytes += value.byteLength
          await form.write(value)
        }
      },
      catch: () => wrong("The body broke off.")
    })
    return Effect.flatMap(Effect.raceFirst(reading, slow(() => bytes)), () => form.refusal ?? Effect.succeed(form.read))
      .pipe(
        Effect.onError(() => Effect.promise(() => reader.cancel().catch(() => {}))),
        Effect.ensuring(Effect.sync(() => form.parts.letGo()))
      )
  })

/** Fails once fewer bytes were received than a body must bring. */
const slow = (received: () => number): Effect.Effect<never, Refusal> => {
  const check = (seconds: number): Effect.Effect<never, Refusal> =>
    Effect.flatMap(
      Effect.sleep(checkSeconds * 1000),
      () => received() < (seconds - graceSeconds) * minBytesPerSecond ? tooSlow : check(seconds + checkSeconds)
    )
  return check(checkSeconds)
}

const checkSeconds = 5
const graceSeconds = 5
const minBytesPerSecond = 8 * 1024

const tooSlow = unavailable(
  `The body arrived too slowly: fewer than ${minBytesPerSecond} bytes per second. Send it again over a faster connection.`,
  5
)

/**
 * @category errors
 */
export const wrong = (message: string): Refusal => new Refusal({ code: "invalid_request", message })

/** Heads come byte by byte; names in them are UTF-8. */
const headerOf = (head: object, name: string): string => {
  const values: unknown = Reflect.get(head, name)
  const [value]: ReadonlyArray<unknown> = Array.isArray(values) ? values : []
  return typeof value === "string" ? Buffer.from(value, "latin1").toString() : ""
}

const longestHead = 16 * 1024

const encoded = "Send the body without a Content-Encoding."
