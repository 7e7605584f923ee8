/**
 * Forms as browsers send them when they carry files. All of it is counted as it comes, whatever length it was said to
 * have.
 */
import { invalid, type Refusal } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { decodeUtf8 } from "./decodeUtf8.ts"
import * as Disposition from "./disposition.ts"
import type { Form as Fields } from "./form.ts"
import { boundaryOf, Multipart, type Reading, received, wrong } from "./multipart.ts"
import * as Room from "./room.ts"
import type { BodyKind } from "./Route.ts"
import type { Uploaded } from "./upload.ts"

/**
 * What was typed, by the names of the fields, and the files in their order; those that are empty, as a browser sends
 * them when none was chosen, are none.
 *
 * @category models
 */
export interface FormWithFiles {
  readonly fields: Fields
  readonly files: ReadonlyArray<Uploaded>
}

/**
 * A form whose files have at most so many bytes together, with files in this field and in no other.
 *
 * @category constructors
 */
export const formWithFiles = (
  { field, maxBytes, tooLarge }: { readonly field: string; readonly maxBytes: number; readonly tooLarge: Refusal }
): BodyKind<FormWithFiles> => ({
  within: (request, use, owners = []) =>
    Effect.flatMap(boundaryOf(request, notAForm), (boundary) => {
      const { body } = request
      if (body === null) return invalid("The form is empty.")
      const said = request.headers.get("content-length")
      const most = said === null ? maxBytes + restBytes : Math.min(Number(said), maxBytes + restBytes)
      if (said !== null && Number(said) > maxBytes + restBytes) return Effect.fail(tooLarge)
      return Room.files.growing(owners, (take) =>
        Effect.flatMap(received(body, new Form({ boundary, field, most, tooLarge, take })), use))
    })
})

/** What is typed, heads of parts, and what is between them. */
const restBytes = 64 * 1024
const maxParts = 30

interface Part {
  readonly name: string
  readonly filename: string | undefined
  /** Of several parts the pieces may come in turns. */
  readonly pieces: Array<Uint8Array>
}

/** One form on its way. */
class Form implements Reading<FormWithFiles> {
  refusal: Refusal | undefined
  readonly parts: Multipart
  readonly #field: string
  readonly #most: number
  readonly #found: Array<Part> = []
  readonly #tooLarge: Refusal
  readonly #take: Room.Take
  #total = 0

  constructor({ boundary, field, most, take, tooLarge }: {
    readonly take: Room.Take
    readonly boundary: string
    readonly field: string
    readonly most: number
    readonly tooLarge: Refusal
  }) {
    this.#field = field
    this.#most = most
    this.#tooLarge = tooLarge
    this.#take = take
    this.parts = new Multipart(boundary, {
      onPart: (disposition) => this.#begin(disposition),
      onWrong: (message) => this.#refuse(message)
    })
  }

  get read(): FormWithFiles {
    // Names are the caller's own: none of them may be one that every object has.
    const fields: Record<string, string> = Object.create(null)
    const files: Array<Uploaded> = []
    for (const { filename, name, pieces } of this.#found) {
      const bytes = new Uint8Array(Buffer.concat(pieces))
      if (name === this.#field) {
        if (bytes.byteLength > 0) files.push({ name: filename ?? "", bytes })
      } else fields[name] ??= utf8.decode(bytes).replaceAll("\r\n", "\n")
    }
    return { fields, files }
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#total += chunk.byteLength
    this.refusal ??= this.#total > this.#most ? this.#tooLarge : this.#take(chunk.byteLength)
    if (this.refusal === undefined) await this.parts.write(chunk)
  }

  async end(): Promise<void> {
    await this.parts.end()
    if (this.refusal !== undefined) return
    for (const { filename, name, pieces } of this.#found) {
      if (name === this.#field) continue
      if (filename !== undefined) return this.#refuse(`${shown(name)}: takes no file`)
      if (decodeUtf8(Buffer.concat(pieces)) === undefined) return this.#refuse("The form is not valid UTF-8.")
    }
  }

  #refuse(message: string): void {
    this.refusal ??= wrong(message)
  }

  #begin(header: string): (chunk: Uint8Array) => void {
    const head = Disposition.parse(header)
    if (head === undefined) this.#refuse("A part of the form has no name.")
    else if (this.#found.length === maxParts) this.#refuse(`The form must have at most ${maxParts} parts.`)
    if (head === undefined || this.refusal !== undefined) return () => {}
    const part: Part = { ...head, pieces: [] }
    this.#found.push(part)
    // What is counted is all of it, so these are no longer.
    return (chunk) => void part.pieces.push(chunk.slice())
  }
}

const utf8 = new TextDecoder("utf-8")

const shown = (name: string): string => JSON.stringify(name.slice(0, 40))

const notAForm = "Send the form as multipart/form-data."
