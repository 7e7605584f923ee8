/**
 * Uploads: forms of one field, which is a file. It is counted as it comes and
 * written into one piece of memory as long as it may be, so it is there once and
 * no more of it than that, whatever length it was said to have.
 */
import { Dicer } from "@fastify/busboy"
import { invalid, Refusal, refuse } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import * as Disposition from "./disposition.ts"
import * as Room from "./room.ts"
import type { BodyKind } from "./Route.ts"

/**
 * @category models
 */
export interface Uploaded {
  /** As the caller wrote it; empty where nothing was said. */
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * A form with this field and no other. A file of more than `maxBytes` is refused as
 * `tooLarge`, as soon as that is known.
 *
 * @category constructors
 */
export const upload = (
  { field, maxBytes, tooLarge }: { readonly field: string; readonly maxBytes: number; readonly tooLarge: Refusal }
): BodyKind<Uploaded> => {
  const within: BodyKind<Uploaded>["within"] = (request, use) => {
    const type = request.headers.get("content-type") ?? ""
    if (!/^multipart\/form-data\s*(?:;|$)/i.test(type)) return refuse("unsupported_media_type", notAForm(field))
    if (request.headers.get("content-encoding") !== null) return refuse("unsupported_media_type", encoded)
    if (request.body === null) return invalid(`${field}: is required`)
    const said = request.headers.get("content-length")
    const most = said === null ? maxBytes : Math.min(Number(said), maxBytes)
    if (said !== null && Number(said) > maxBytes + headBytes) return Effect.fail(tooLarge)
    const boundary = boundaryOf(type)
    if (boundary === undefined) return invalid("The form has no boundary.")
    const form = new Form({ boundary, field, most, tooLarge })
    return room.within(most, Effect.flatMap(received(request.body, form), use))
  }
  return {
    within,
    described: {
      required: true,
      content: {
        "multipart/form-data": {
          schema: {
            type: "object",
            required: [field],
            properties: { [field]: { type: "string", format: "binary", description: `At most ${maxBytes} bytes.` } },
            additionalProperties: false
          }
        }
      }
    }
  }
}

/** Heads of parts and what is between them. A form of one field has about 200 bytes of it. */
const headBytes = 64 * 1024

const room = Room.make(
  64 * 1024 * 1024,
  "Too many files are on their way. Send the same request again."
)

/** The boundary that the `Content-Type` of a form names. */
const boundaryOf = (type: string): string | undefined => {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? []
  return quoted ?? plain
}

/** Reads to the end of the form, or to where it is known to be wrong: what comes then is not read. */
const received = (body: ReadableStream<Uint8Array>, form: Form): Effect.Effect<Uploaded, Refusal> =>
  Effect.suspend(() => {
    const reader = body.getReader()
    const reading = Effect.tryPromise({
      try: async () => {
        while (form.refusal === undefined) {
          const { done, value } = await reader.read()
          if (done) return form.end()
          await form.write(value)
        }
      },
      catch: () => brokenOff
    })
    return Effect.flatMap(reading, () => form.refusal ?? Effect.succeed(form.uploaded)).pipe(
      Effect.onError(() => Effect.promise(() => reader.cancel().catch(() => {}))),
      Effect.ensuring(Effect.sync(() => form.letGo()))
    )
  })

interface Expected {
  readonly boundary: string
  readonly field: string
  readonly most: number
  readonly tooLarge: Refusal
}

/** One form on its way. */
class Form {
  refusal: Refusal | undefined
  readonly #expected: Expected
  readonly #parts: Dicer
  readonly #over: Promise<void>
  #bytes: Uint8Array | undefined
  #length = 0
  #name = ""
  #total = 0

  constructor(expected: Expected) {
    this.#expected = expected
    // It would end itself at the first fault, and what was written then would wait for ever.
    const limits = { maxHeaderPairs: 100, maxHeaderSize: longestHead, autoDestroy: false }
    const parts = new Dicer({ boundary: expected.boundary, ...limits })
    this.#parts = parts
    parts.on("part", (part) => this.#part(part))
    this.#over = new Promise((resolve) => {
      parts.on("finish", () => resolve())
      parts.on("error", () => {
        this.#refuse("The form has no end.")
        resolve()
      })
    })
  }

  get uploaded(): Uploaded {
    return { name: this.#name, bytes: (this.#bytes ?? new Uint8Array(0)).subarray(0, this.#length) }
  }

  /** Goes on when it is understood. */
  async write(chunk: Uint8Array): Promise<void> {
    const { most, tooLarge } = this.#expected
    this.#total += chunk.byteLength
    if (this.#total > most + headBytes) {
      this.refusal ??= tooLarge
      return
    }
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    await Promise.race([new Promise((resolve) => this.#parts.write(bytes, resolve)), this.#over])
  }

  async end(): Promise<void> {
    this.#parts.end()
    await this.#over
    if (this.#bytes === undefined) this.#refuse(`${this.#expected.field}: is required`)
    if (this.#length === 0) this.#refuse(`${this.#expected.field}: is empty`)
  }

  letGo(): void {
    this.#parts.removeAllListeners("part").destroy()
  }

  #part(part: Dicer.PartStream): void {
    let take = (_: Uint8Array) => {}
    let hasHead = false
    // Listened to from its beginning: what nobody takes stops the form.
    part.on("data", (chunk: Uint8Array) => take(chunk))
    part.on("error", () => {})
    part.on("end", () => hasHead || this.#refuse("A part of the form has no head."))
    part.on("header", (head) => {
      hasHead = true
      take = this.#begin(headerOf(head, "content-disposition"))
    })
  }

  #refuse(message: string): void {
    this.refusal ??= new Refusal({ code: "invalid_request", message })
  }

  #begin(header: string): (chunk: Uint8Array) => void {
    const { field, most, tooLarge } = this.#expected
    const part = Disposition.parse(header)
    if (part === undefined) this.#refuse("A part of the form has no name.")
    else if (part.name !== field) {
      this.#refuse(`${shown(part.name)}: is not a field of this form; it has the field ${field}`)
    } else if (this.#bytes !== undefined) this.#refuse(`${field}: is given twice`)
    if (this.refusal !== undefined) return () => {}
    // Nothing of it takes room before it is written to.
    const bytes = new Uint8Array(most)
    this.#bytes = bytes
    this.#name = part?.filename ?? ""
    return (chunk) => {
      if (this.refusal !== undefined) return
      if (this.#length + chunk.byteLength > most) {
        this.refusal = tooLarge
        return
      }
      bytes.set(chunk, this.#length)
      this.#length += chunk.byteLength
    }
  }
}

/** Heads come byte by byte; names in them are UTF-8. */
const headerOf = (head: object, name: string): string => {
  const values: unknown = Reflect.get(head, name)
  const [value]: ReadonlyArray<unknown> = Array.isArray(values) ? values : []
  return typeof value === "string" ? Buffer.from(value, "latin1").toString() : ""
}

const longestHead = 16 * 1024

const shown = (name: string): string => JSON.stringify(name.slice(0, 40))

const notAForm = (field: string): string => `Send the file as multipart/form-data, in the field ${field}.`

const encoded = "Send the body without a Content-Encoding."

const brokenOff = new Refusal({ code: "invalid_request", message: "The body broke off." })
