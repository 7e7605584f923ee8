/**
 * Strips metadata from pictures in a worker thread, which starts when the first large picture arrives. The bytes are
 * transferred instead of copied.
 */
import { FileSanitizer, type FileType, SanitizerFailed, stripMetadata } from "@trailbook/core/file"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Worker } from "node:worker_threads"
import type { SanitizeRequest, SanitizeResult } from "./sanitizerWorker.ts"

export const layer: Layer.Layer<FileSanitizer> = Layer.scoped(FileSanitizer, Effect.suspend(() => make()))

/** Creates the cleaner. Tests can supply a different module or a smaller `minBytes`. */
export const make = (
  { minBytes = 256 * 1024, module = "@trailbook/files/sanitizerWorker" }: {
    /** Below this size, stripping the file takes less time than transferring it. */
    readonly minBytes?: number
    readonly module?: string
  } = {}
) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Thread(module)),
      (thread) => Effect.promise(() => thread.stop())
    ),
    (thread): FileSanitizer["Type"] => ({
      clean: (type, bytes) =>
        // Metadata in PDFs is not stripped.
        bytes.byteLength < minBytes || type === "application/pdf"
          ? Effect.sync(() => stripMetadata(type, bytes))
          : Effect.tryPromise({
            try: () => thread.clean(type, bytes),
            catch: () => new SanitizerFailed({ message: "The image worker thread exited." })
          })
    })
  )

interface PendingRequest {
  readonly resolve: (cleaned: Uint8Array | undefined) => void
  readonly reject: (cause: unknown) => void
}

/**
 * Processes one picture at a time. If the thread exits, its pending pictures fail, and the next picture starts a new
 * thread.
 */
class Thread {
  readonly #module: string
  readonly #pending = new Map<number, PendingRequest>()
  #worker: Worker | undefined
  #lastId = 0

  constructor(module: string) {
    this.#module = module
  }

  clean(type: FileType, bytes: Uint8Array): Promise<Uint8Array | undefined> {
    // A transfer detaches the entire buffer, so a view into a larger buffer must be copied.
    const ownedBytes = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer
      ? bytes as Uint8Array<ArrayBuffer>
      : bytes.slice()
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      const worker = this.#ensureWorker()
      worker.ref()
      worker.postMessage({ id, type, bytes: ownedBytes } satisfies SanitizeRequest, [ownedBytes.buffer])
    })
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate()
  }

  #ensureWorker(): Worker {
    if (this.#worker !== undefined) return this.#worker
    // The thread loads the built module, because process flags such as TypeScript loaders do not apply to it.
    const worker = new Worker(bootstrapScript, {
      eval: true,
      workerData: { from: import.meta.url, module: this.#module },
      execArgv: []
    })
    this.#worker = worker
    worker.on("message", ({ bytes: cleaned, id }: SanitizeResult) => {
      this.#pending.get(id)?.resolve(cleaned)
      this.#pending.delete(id)
      // An idle thread must not keep the process alive.
      if (this.#pending.size === 0) worker.unref()
    })
    const rejectPending = (cause: unknown): void => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      const pendingRequests = [...this.#pending.values()]
      this.#pending.clear()
      for (const { reject } of pendingRequests) reject(cause)
    }
    worker.on("error", rejectPending)
    worker.once("exit", rejectPending)
    return worker
  }
}

/** The thread resolves the module by name, because its path differs between source and build. */
const bootstrapScript = `
  const { createRequire } = require("node:module")
  const { pathToFileURL } = require("node:url")
  const { workerData } = require("node:worker_threads")
  import(pathToFileURL(createRequire(workerData.from).resolve(workerData.module)).href)
`
