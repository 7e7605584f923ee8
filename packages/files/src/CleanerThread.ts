/** Cleans pictures in a thread, which starts with the first large picture. Bytes are transferred, not copied. */
import type { FileType } from "@trailbook/core/file/FileType"
import { CleanerFailed, PictureCleaner } from "@trailbook/core/file/PictureCleaner"
import { stripMetadata } from "@trailbook/core/file/stripMetadata"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Worker } from "node:worker_threads"
import type { Cleaned, Uncleaned } from "./cleanInThread.ts"

export const layer: Layer.Layer<PictureCleaner> = Layer.scoped(PictureCleaner, Effect.suspend(() => make()))

/** The options let tests use another module or clean small pictures in the thread. */
export const make = (
  { minBytes = 256 * 1024, module = "@trailbook/files/cleanInThread" }: {
    /** Smaller files take less time to clean than to transfer. */
    readonly minBytes?: number
    readonly module?: string
  } = {}
) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Thread(module)),
      (thread) => Effect.promise(() => thread.stop())
    ),
    (thread): PictureCleaner["Type"] => ({
      clean: (type, bytes) =>
        // Documents are stored unchanged.
        bytes.byteLength < minBytes || type === "application/pdf"
          ? Effect.sync(() => stripMetadata(type, bytes))
          : Effect.tryPromise({
            try: () => thread.clean(type, bytes),
            catch: () => new CleanerFailed({ message: "The image worker thread exited." })
          })
    })
  )

interface Waiting {
  readonly resolve: (cleaned: Uint8Array | undefined) => void
  readonly reject: (cause: unknown) => void
}

/**
 * A thread that cleans pictures sequentially. If it exits, its pending pictures fail, and the next picture starts a
 * new thread.
 */
class Thread {
  readonly #module: string
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #last = 0

  constructor(module: string) {
    this.#module = module
  }

  clean(type: FileType, bytes: Uint8Array): Promise<Uint8Array | undefined> {
    // Transferring a view of a larger buffer would detach the rest of the buffer.
    const owned = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer
      ? bytes as Uint8Array<ArrayBuffer>
      : bytes.slice()
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      const worker = this.#started()
      worker.ref()
      worker.postMessage({ id, type, bytes: owned } satisfies Uncleaned, [owned.buffer])
    })
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate()
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker
    // The thread runs built code, so it does not inherit Node.js options for source files.
    const worker = new Worker(begin, {
      eval: true,
      workerData: { from: import.meta.url, module: this.#module },
      execArgv: []
    })
    this.#worker = worker
    worker.on("message", ({ cleaned, id }: Cleaned) => {
      this.#waiting.get(id)?.resolve(cleaned)
      this.#waiting.delete(id)
      // An idle thread must not keep the process alive.
      if (this.#waiting.size === 0) worker.unref()
    })
    const end = (cause: unknown): void => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      const waiting = [...this.#waiting.values()]
      this.#waiting.clear()
      for (const { reject } of waiting) reject(cause)
    }
    worker.on("error", end)
    worker.once("exit", end)
    return worker
  }
}

/** Resolves the module by its name in the thread, because its path differs between source and build. */
const begin = `
  const { createRequire } = require("node:module")
  const { pathToFileURL } = require("node:url")
  const { workerData } = require("node:worker_threads")
  import(pathToFileURL(createRequire(workerData.from).resolve(workerData.module)).href)
`
