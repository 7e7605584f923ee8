/**
 * Reads a request body of up to 1 MiB by default. The limit applies to the bytes received, regardless of the declared
 * length.
 *
 * Large bodies from all callers share a memory budget, because hundreds of unfinished uploads could otherwise exhaust
 * the process's memory. Small bodies, such as booking requests, are read even if the budget is exhausted.
 */
import { invalid, type Refusal, refuse } from "@trailbook/core"
import * as Effect from "effect/Effect"
import * as MemoryBudget from "../limit/MemoryBudget.ts"
import { type FormReader, readForm } from "./multipart.ts"

export interface ReadBytesOptions {
  /** The maximum body size in bytes. Default: 1 MiB. */
  readonly maxBytes?: number | undefined
  /**
   * Called with the body length, before the body is read if the request declares its length, and afterward otherwise.
   */
  readonly onLength?: ((bytes: number) => void) | undefined
  /** The network and the org. A large body counts against their shares of the memory budget. */
  readonly owners?: ReadonlyArray<string> | undefined
}

/** Reads a request body. A missing body is read as zero bytes. */
export const readBytes = (
  request: Request,
  { maxBytes = defaultMaxBytes, onLength, owners = [] }: ReadBytesOptions = {}
): Effect.Effect<Uint8Array, Refusal> => {
  const length = request.headers.get("content-length")
  if (length === "0") return noBytes
  const bytes = Number(length)
  if (bytes > maxBytes) return refuseTooLarge(maxBytes)
  if (length !== null) onLength?.(bytes)
  if (length !== null && bytes <= smallBodyBytes) return readWhole(request, maxBytes)
  const { body } = request
  if (body === null) return noBytes
  return budget.withReservation(owners, (take) =>
    Effect.suspend(() => {
      const chunks = new Chunks(maxBytes, take)
      const content = readForm(body, chunks)
      return length === null ? Effect.ensuring(content, Effect.sync(() => onLength?.(chunks.length))) : content
    }))
}

const defaultMaxBytes = 1024 * 1024

const smallBodyBytes = 64 * 1024

const budget = MemoryBudget.make(
  32 * defaultMaxBytes,
  `Too many concurrent request bodies over ${smallBodyBytes} bytes. Retry the request.`
)

// Check the length again. The server's parser reads no more than the declared length, but a host can pass a longer
// body.
const readWhole = (request: Request, maxBytes: number): Effect.Effect<Uint8Array, Refusal> =>
  Effect.tryPromise({ try: () => request.arrayBuffer(), catch: () => incompleteBody }).pipe(
    Effect.flatMap((buffer) =>
      buffer.byteLength > maxBytes ? refuseTooLarge(maxBytes) : Effect.succeed(new Uint8Array(buffer))
    )
  )

/** Collects the chunks of a body. Bytes beyond the first 64 KiB count against the memory budget. */
class Chunks implements FormReader<Uint8Array> {
  refusal: Refusal | undefined
  length = 0
  readonly #chunks: Array<Uint8Array> = []
  readonly #maxBytes: number
  readonly #take: MemoryBudget.ByteReserver

  constructor(maxBytes: number, take: MemoryBudget.ByteReserver) {
    this.#maxBytes = maxBytes
    this.#take = take
  }

  get result(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }

  write(chunk: Uint8Array): void {
    this.length += chunk.byteLength
    this.refusal = this.length > this.#maxBytes
      ? refuseTooLarge(this.#maxBytes)
      : this.#take(Math.min(chunk.byteLength, Math.max(0, this.length - smallBodyBytes)))
    if (this.refusal === undefined) this.#chunks.push(chunk)
  }

  end(): void {}
}

const noBytes = Effect.succeed(new Uint8Array(0))

export const refuseTooLarge = (maxBytes: number): Refusal<"too_large"> =>
  refuse("too_large", `The body must be at most ${maxBytes} bytes.`)

/** The client disconnected before it sent the entire body, so this response appears only in the log. */
const incompleteBody = invalid("The request body is incomplete.")
