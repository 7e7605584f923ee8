/**
 * Reads forms with a single file field. Bytes are counted as they arrive, regardless of the declared length, and
 * written to a single buffer, so the file is in memory only once.
 */
import { invalid, type Refusal } from "@trailbook/core"
import * as Effect from "effect/Effect"
import * as MemoryBudget from "../limit/MemoryBudget.ts"
import * as Disposition from "../response/disposition.ts"
import type { BodyKind } from "../Route.ts"
import { type FormReader, MultipartParser, parseBoundary, readForm, refuseBody } from "./multipart.ts"

export interface UploadedFile {
  /** The caller's file name, or an empty string if none was sent. */
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * Reads a form that contains only the given field. As soon as the file exceeds `maxBytes`, the form is rejected with
 * `tooLarge`.
 */
export const makeUploadBody = (
  { field, maxBytes, tooLarge }: { readonly field: string; readonly maxBytes: number; readonly tooLarge: Refusal }
): BodyKind<UploadedFile> => {
  const within: BodyKind<UploadedFile>["within"] = (request, use, owners = []) =>
    Effect.flatMap(parseBoundary(request, notAForm(field)), (boundary) => {
      if (request.body === null) return invalid(`${field}: is required`)
      const contentLength = request.headers.get("content-length")
      const maxFileBytes = contentLength === null ? maxBytes : Math.min(Number(contentLength), maxBytes)
      if (contentLength !== null && Number(contentLength) > maxBytes + headBytes) return Effect.fail(tooLarge)
      const { body } = request
      return MemoryBudget.uploadMemoryBudget.withReservation(
        owners,
        (take) => Effect.flatMap(readForm(body, new Form({ boundary, field, maxFileBytes, tooLarge, take })), use)
      )
    })
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

/** The limit for part headers and boundaries, which take about 200 bytes in a form with one field. */
const headBytes = 64 * 1024

interface ExpectedPart {
  readonly boundary: string
  readonly field: string
  readonly maxFileBytes: number
  readonly tooLarge: Refusal
  readonly take: MemoryBudget.ByteReserver
}

class Form implements FormReader<UploadedFile> {
  refusal: Refusal | undefined
  readonly parts: MultipartParser
  readonly #expected: ExpectedPart
  #bytes: Uint8Array | undefined
  #length = 0
  #name = ""
  #total = 0

  constructor(part: ExpectedPart) {
    this.#expected = part
    this.parts = new MultipartParser(part.boundary, {
      onPart: (disposition) => this.#startPart(disposition),
      onWrong: (message) => this.#refuse(message)
    })
  }

  get result(): UploadedFile {
    return { name: this.#name, bytes: (this.#bytes ?? new Uint8Array(0)).subarray(0, this.#length) }
  }

  write(chunk: Uint8Array): void {
    const { maxFileBytes, take, tooLarge } = this.#expected
    this.#total += chunk.byteLength
    this.refusal ??= this.#total > maxFileBytes + headBytes ? tooLarge : take(chunk.byteLength)
    if (this.refusal === undefined) this.parts.write(chunk)
  }

  end(): void {
    this.parts.end()
    if (this.#bytes === undefined) this.#refuse(`${this.#expected.field}: is required`)
    if (this.#length === 0) this.#refuse(`${this.#expected.field}: is empty`)
  }

  #refuse(message: string): void {
    this.refusal ??= refuseBody(message)
  }

  #startPart(header: string): (chunk: Uint8Array) => void {
    const { field, maxFileBytes, tooLarge } = this.#expected
    const part = Disposition.parse(header)
    if (part === undefined) this.#refuse("A form part has no name.")
    else if (part.name !== field) {
      this.#refuse(`${quoteName(part.name)}: is not a field of this form. Send the file in the field ${field}.`)
    } else if (this.#bytes !== undefined) this.#refuse(`${field}: appears more than once`)
    if (this.refusal !== undefined) return () => {}
    // Buffer pages that are never written take up no memory.
    const bytes = new Uint8Array(maxFileBytes)
    this.#bytes = bytes
    this.#name = part?.filename ?? ""
    return (chunk) => {
      if (this.refusal !== undefined) return
      if (this.#length + chunk.byteLength > maxFileBytes) {
        this.refusal = tooLarge
        return
      }
      bytes.set(chunk, this.#length)
      this.#length += chunk.byteLength
    }
  }
}

const quoteName = (name: string): string => JSON.stringify(name.slice(0, 40))

const notAForm = (field: string): string => `Send the file as multipart/form-data, in the field ${field}.`
