import { yieldToEventLoop } from "@trailbook/core/concurrency"
import { BoundedQueue, type Emit, type ResponseChunk } from "@trailbook/core/operation"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import type { Reply } from "./Reply.ts"
import { sharedUnsentByteTracker } from "./UnsentByteTracker.ts"

/**
 * Responses of up to this many characters are sent with their length, and longer ones are streamed in chunks of about
 * this size.
 */
const pieceLength = 64 * 1024

/** A response of unlimited length pauses while this many characters are unread. */
export const maxUnreadCharacters = 1024 * 1024

/**
 * Streams a response in chunks. If an error occurs before the first chunk, it becomes a regular error response. The
 * producer yields to other work after each chunk, and pauses while `maxUnread` characters are unread. If unread
 * responses exceed the shared memory limit, the largest response of the org with the most unread bytes is aborted.
 */
export const streamReply = <E, R>(
  status: number,
  run: (emit: Emit) => Effect.Effect<void, E, R>,
  maxUnread: number,
  orgId: string
): Effect.Effect<Reply, E, R> =>
  Effect.gen(function*() {
    const deferredReply = yield* Deferred.make<Reply, E>()
    const resolveReply = (exit: Exit.Exit<Reply, E>) => Deferred.unsafeDone(deferredReply, exit)
    const chunkQueue = new BoundedQueue<string>(maxUnread, ({ length }) => length)
    const json = new JsonStreamWriter()
    let text = ""
    let isStreamed = false
    const release = sharedUnsentByteTracker.add({
      source: orgId,
      bytes: () => chunkQueue.size,
      abort: () => {
        chunkQueue.end(Exit.interrupt(FiberId.none))
        stop()
      }
    })
    const offer = (piece: string) => {
      sharedUnsentByteTracker.recordGrowth(piece.length)
      return chunkQueue.offer(piece)
    }
    const next = async () => {
      const piece = await chunkQueue.take().catch((cause: unknown) => {
        release()
        throw cause
      })
      if (piece === undefined) release()
      return piece
    }

    const emit: Emit = (chunk) =>
      Effect.suspend(() => {
        text += json.add(chunk)
        if (text.length < pieceLength) return Effect.void
        const piece = text
        text = ""
        isStreamed = true
        resolveReply(Exit.succeed({ status, body: { next, stop } }))
        return Effect.zipRight(Effect.suspend(() => offer(piece)), yieldToEventLoop)
      })
    const finish = Effect.suspend(() => {
      const lastChunk = text + json.end()
      if (isStreamed) return offer(lastChunk)
      resolveReply(Exit.succeed({ status, body: lastChunk }))
      return Effect.void
    })

    const producer = yield* Effect.forkDaemon(Effect.zipRight(run(emit), finish))
    const stop = () => {
      release()
      chunkQueue.shutdown()
      producer.unsafeInterruptAsFork(producer.id())
    }
    producer.addObserver((exit) => {
      chunkQueue.end(exit)
      // No chunk was sent, so respond with a regular error response.
      if (Exit.isFailure(exit)) resolveReply(Exit.failCause(exit.cause))
      if (!isStreamed) release()
    })
    return yield* Effect.onInterrupt(Deferred.await(deferredReply), () => Fiber.interrupt(producer))
  })

/** The number of rows per chunk. Each row can contain up to 16 KiB of metadata. */
const rowsPerChunk = 25

/** Emits a complete response in chunks of 25 rows, so that serializing a long list does not block the event loop. */
export const emitResponseInChunks = (response: unknown, emit: Emit): Effect.Effect<void> =>
  Effect.forEach(Object.entries(response ?? {}), ([name, value]: [string, unknown]) => {
    if (value === undefined) return Effect.void
    if (!Array.isArray(value) || value.length <= rowsPerChunk) return emit({ name, value })
    const starts = Array.from({ length: Math.ceil(value.length / rowsPerChunk) }, (_, at) => at * rowsPerChunk)
    return Effect.forEach(starts, (at) => emit({ name, rows: value.slice(at, at + rowsPerChunk) }), { discard: true })
  }, { discard: true })

/** Serializes a streamed response as a single JSON object. */
class JsonStreamWriter {
  #list: string | undefined
  #isEmpty = true
  #hasRows = false

  /** Returns the JSON text for a chunk. */
  add(chunk: ResponseChunk): string {
    if ("value" in chunk) return `${this.#field(chunk.name)}${JSON.stringify(chunk.value)}`
    const prefix = this.#list === chunk.name ? "" : this.#startList(chunk.name)
    if (chunk.rows.length === 0) return prefix
    const separator = this.#hasRows ? "," : ""
    this.#hasRows = true
    return prefix + separator + JSON.stringify(chunk.rows).slice(1, -1)
  }

  /** Returns the closing JSON text. */
  end(): string {
    return `${this.#endList()}${this.#isEmpty ? "{" : ""}}`
  }

  #startList(name: string): string {
    const field = this.#field(name)
    this.#list = name
    this.#hasRows = false
    return `${field}[`
  }

  #field(name: string): string {
    const text = `${this.#endList()}${this.#isEmpty ? "{" : ","}${JSON.stringify(name)}:`
    this.#isEmpty = false
    return text
  }

  #endList(): string {
    const hadList = this.#list !== undefined
    this.#list = undefined
    return hadList ? "]" : ""
  }
}
