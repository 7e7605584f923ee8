/** Reads HTML forms with files. Bytes are counted as they arrive, regardless of the declared length. */
import { invalid, type Refusal } from "@trailbook/core"
import * as Effect from "effect/Effect"
import * as MemoryBudget from "../limit/MemoryBudget.ts"
import * as Disposition from "../response/disposition.ts"
import type { BodyKind } from "../Route.ts"
import { decodeUtf8 } from "./decodeUtf8.ts"
import type { Form as Fields } from "./formBody.ts"
import { type FormReader, MultipartParser, parseBoundary, readForm, refuseBody } from "./multipart.ts"
import type { UploadedFile } from "./uploadBody.ts"

/**
 * The values by field name, and the files in order. Browsers send an empty file if the user did not choose one, so
 * empty files are dropped.
 */
export interface FormWithFiles {
  readonly fields: Fields
  readonly files: ReadonlyArray<UploadedFile>
}

/** Reads a form whose files are all in one field, with at most `maxBytes` bytes in total. */
export const makeMultipartFormBody = (
  { field, maxBytes, tooLarge }: { readonly field: string; readonly maxBytes: number; readonly tooLarge: Refusal }
): BodyKind<FormWithFiles> => ({
  within: (request, use, owners = []) =>
    Effect.flatMap(parseBoundary(request, notAForm), (boundary) => {
      const { body } = request
      if (body === null) return invalid("The form is empty.")
      const contentLength = request.headers.get("content-length")
      const maxTotalBytes = contentLength === null
        ? maxBytes + restBytes
        : Math.min(Number(contentLength), maxBytes + restBytes)
      if (contentLength !== null && Number(contentLength) > maxBytes + restBytes) return Effect.fail(tooLarge)
      return MemoryBudget.uploadMemoryBudget.withReservation(owners, (take) =>
        Effect.flatMap(readForm(body, new Form({ boundary, field, maxTotalBytes, tooLarge, take })), use))
    })
})

/** The limit for field values, part headers, and boundaries together. */
const restBytes = 64 * 1024
const maxParts = 30

interface Part {
  readonly name: string
  readonly filename: string | undefined
  readonly bytes: ChunkBuffer
}

class Form implements FormReader<FormWithFiles> {
  refusal: Refusal | undefined
  readonly parts: MultipartParser
  readonly #field: string
  readonly #maxTotalBytes: number
  readonly #receivedParts: Array<Part> = []
  readonly #tooLarge: Refusal
  readonly #take: MemoryBudget.ByteReserver
  #total = 0

  constructor({ boundary, field, maxTotalBytes, take, tooLarge }: {
    readonly take: MemoryBudget.ByteReserver
    readonly boundary: string
    readonly field: string
    readonly maxTotalBytes: number
    readonly tooLarge: Refusal
  }) {
    this.#field = field
    this.#maxTotalBytes = maxTotalBytes
    this.#tooLarge = tooLarge
    this.#take = take
    this.parts = new MultipartParser(boundary, {
      onPart: (disposition) => this.#startPart(disposition),
      onWrong: (message) => this.#refuse(message)
    })
  }

  get result(): FormWithFiles {
    // The caller chooses the names, so they must not collide with `Object.prototype`.
    const fields: Record<string, string> = Object.create(null)
    const files: Array<UploadedFile> = []
    for (const { filename, name, bytes: chunks } of this.#receivedParts) {
      const bytes = chunks.join()
      if (name === this.#field) {
        if (bytes.byteLength > 0) files.push({ name: filename ?? "", bytes })
      } else fields[name] ??= utf8.decode(bytes).replaceAll("\r\n", "\n")
    }
    return { fields, files }
  }

  write(chunk: Uint8Array): void {
    this.#total += chunk.byteLength
    this.refusal ??= this.#total > this.#maxTotalBytes ? this.#tooLarge : this.#take(chunk.byteLength)
    if (this.refusal === undefined) this.parts.write(chunk)
  }

  end(): void {
    this.parts.end()
    if (this.refusal !== undefined) return
    for (const { bytes, filename, name } of this.#receivedParts) {
      if (name === this.#field) continue
      if (filename !== undefined) return this.#refuse(`${quoteName(name)}: must be text, not a file`)
      if (decodeUtf8(bytes.join()) === undefined) return this.#refuse("The form is not valid UTF-8.")
    }
  }

  #refuse(message: string): void {
    this.refusal ??= refuseBody(message)
  }

  #startPart(header: string): (chunk: Uint8Array) => void {
    const head = Disposition.parse(header)
    if (head === undefined) this.#refuse("A form part has no name.")
    else if (this.#receivedParts.length === maxParts) this.#refuse(`The form must have at most ${maxParts} parts.`)
    if (head === undefined || this.refusal !== undefined) return () => {}
    const part: Part = { ...head, bytes: new ChunkBuffer() }
    this.#receivedParts.push(part)
    // The values need no separate limit, because the reader counts all bytes.
    return (chunk) => part.bytes.add(chunk)
  }
}

/** Collects a part's bytes. Large chunks are not copied until the end, when all chunks are joined. */
class ChunkBuffer {
  #pieces: Array<Uint8Array> = []
  #length = 0
  /** Small chunks are combined into blocks, because the overhead of a small chunk exceeds its size. */
  #block = new Uint8Array(0)
  #used = 0

  add(chunk: Uint8Array): void {
    this.#length += chunk.byteLength
    if (chunk.byteLength > blockBytes / 4) {
      this.#flushBlock()
      this.#pieces.push(chunk)
      return
    }
    if (this.#used + chunk.byteLength > this.#block.byteLength) {
      this.#flushBlock()
      this.#block = new Uint8Array(blockBytes)
    }
    this.#block.set(chunk, this.#used)
    this.#used += chunk.byteLength
  }

  join(): Uint8Array {
    this.#flushBlock()
    if (this.#pieces.length === 1 && this.#pieces[0]?.byteLength === this.#pieces[0]?.buffer.byteLength) {
      return this.#pieces[0] ?? new Uint8Array(0)
    }
    const bytes = new Uint8Array(this.#length)
    let at = 0
    for (const piece of this.#pieces) {
      bytes.set(piece, at)
      at += piece.byteLength
    }
    this.#pieces = [bytes]
    return bytes
  }

  #flushBlock(): void {
    if (this.#used > 0) this.#pieces.push(this.#block.subarray(0, this.#used))
    this.#block = new Uint8Array(0)
    this.#used = 0
  }
}

const blockBytes = 16 * 1024

const utf8 = new TextDecoder("utf-8")

const quoteName = (name: string): string => JSON.stringify(name.slice(0, 40))

const notAForm = "Send the form as multipart/form-data."
