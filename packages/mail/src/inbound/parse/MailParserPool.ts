import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Worker } from "node:worker_threads"
import { parseProviderPayload, type ProviderPayload, type ProviderRequest } from "../parseProviderPayload.ts"
import { getSenderKey, type ParseResult } from "./ParsedMail.ts"
import { parseForAllRecipients, parseHeadersOnly, type SharedParseRequest } from "./parseMail.ts"
import type { ParserTask } from "./parserWorker.ts"

/** Parses emails. If parsing crashes or takes longer than 20 seconds, the result is built from the headers alone. */
export class MailParserPool extends Context.Tag("@trailbook/mail/MailParserPool")<
  MailParserPool,
  {
    /** Parses an email for each of its recipients, in order. */
    readonly read: (request: SharedParseRequest) => Effect.Effect<ReadonlyArray<ParseResult>>
    /** Extracts the email from a provider's request. */
    readonly unpack: (posted: ProviderRequest) => Effect.Effect<ProviderPayload | undefined>
  }
>() {
  /** Parses in up to two worker threads. The first thread starts when the first email arrives. */
  static readonly layer: Layer.Layer<MailParserPool> = Layer.scoped(
    MailParserPool,
    Effect.suspend(() => makeMailParserPool())
  )

  /**
   * Parses in the current thread, blocking it. Use this layer in programs that cannot start threads.
   */
  static readonly layerInline: Layer.Layer<MailParserPool> = Layer.succeed(
    MailParserPool,
    MailParserPool.of({
      read: (request) => Effect.promise(() => parseForAllRecipients(request)),
      unpack: (posted) => Effect.sync(() => parseProviderPayload(posted))
    })
  )
}

/** Creates a pool that runs a worker module. Tests that run from source code supply their own module. */
export const makeMailParserPool = (
  { module = "@trailbook/mail/inbound/parse/parserWorker", withinMs = 20_000 }: {
    readonly module?: string
    readonly withinMs?: number
  } = {}
) =>
  Effect.gen(function*() {
    const idle: Array<Worker> = []
    const workers = new Set<Worker>()
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => Promise.all([...workers].map((worker) => worker.terminate())))
    )
    const threadLimit = yield* Effect.makeSemaphore(maxThreads)
    const senderLocks = new Map<string, { readonly lock: Effect.Semaphore; users: number }>()

    /**
     * Runs a sender's effects one at a time. Each sender can use only one of the two threads, so one sender's slow
     * emails do not block the others.
     */
    const runForSender = <A, E>(sender: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          const entry = senderLocks.get(sender) ?? { lock: Effect.unsafeMakeSemaphore(1), users: 0 }
          senderLocks.set(sender, entry)
          entry.users++
          return entry
        }),
        ({ lock }) => lock.withPermits(1)(threadLimit.withPermits(1)(effect)),
        (entry) =>
          Effect.sync(() => {
            entry.users--
            if (entry.users === 0) senderLocks.delete(sender)
          })
      )

    const startThread = Effect.flatMap(
      Effect.sync(() => {
        // An email that exceeds the memory limit stops only its own thread.
        const worker = new Worker(bootstrapScript, {
          eval: true,
          workerData: { from: import.meta.url, module },
          // The thread loads the built module, because process flags that load TypeScript do not apply to it.
          execArgv: [],
          resourceLimits: { maxOldGenerationSizeMb: 512 }
        })
        workers.add(worker)
        // An idle thread must not keep the process alive. Without a listener, an `error` event would crash the process.
        worker.unref()
        worker.on("error", () => {})
        worker.once("exit", () => {
          workers.delete(worker)
          const at = idle.indexOf(worker)
          if (at >= 0) idle.splice(at, 1)
        })
        return worker
      }),
      (worker) =>
        Effect.async<Worker>((resume) => {
          const onStartFailed = (error: unknown) => {
            resume(Effect.die(new Error("The mail parser thread failed to start.", { cause: error })))
          }
          worker.once("error", onStartFailed)
          worker.once("message", () => {
            worker.off("error", onStartFailed)
            resume(Effect.succeed(worker))
          })
        })
    )

    const terminate = (worker: Worker) => Effect.promise(() => worker.terminate())

    const runTask = <A>(worker: Worker, task: ParserTask) =>
      Effect.async<A, ThreadEnded>((resume) => {
        const onMessage = (result: A): void => {
          worker.off("error", onThreadEnded).off("exit", onThreadEnded)
          resume(Effect.succeed(result))
        }
        const onThreadEnded = (): void => {
          worker.off("message", onMessage)
          resume(Effect.fail("ThreadEnded"))
        }
        worker.once("message", onMessage).once("error", onThreadEnded).once("exit", onThreadEnded)
        // The bytes are copied rather than transferred, because the main thread needs them to parse the headers if the
        // thread exits.
        worker.postMessage(task, [])
      })

    const runInThread = <A>(task: ParserTask) =>
      Effect.acquireUseRelease(
        Effect.suspend(() => {
          const worker = idle.pop()
          return worker === undefined ? startThread : Effect.succeed(worker)
        }),
        (worker) =>
          Effect.timeoutFail(runTask<A>(worker, task), {
            duration: withinMs,
            onTimeout: (): ThreadEnded => "ThreadEnded"
          }),
        // A thread that has not responded may be stuck, so it is terminated.
        (worker, exit) => exit._tag === "Success" ? Effect.sync(() => void idle.push(worker)) : terminate(worker)
      )

    return MailParserPool.of({
      read: (request) =>
        runForSender(getSenderKey(request.envelope), runInThread<ReadonlyArray<ParseResult>>({ _tag: "Read", request }))
          .pipe(
            Effect.catchAll(() => Effect.sync(() => request.to.map((to) => parseHeadersOnly({ ...request, to })))),
            Effect.withSpan("MailParserPool.read", { attributes: { bytes: request.raw.length } })
          ),
      unpack: (posted) =>
        posted.body.length <= maxInlineBytes
          ? Effect.sync(() => parseProviderPayload(posted))
          : threadLimit.withPermits(1)(
            runInThread<ProviderPayload | undefined>({ _tag: "Unpack", providerRequest: posted })
          ).pipe(
            Effect.catchAll(() => Effect.dieMessage("The mail parser thread exited."))
          )
    })
  })

/** The thread resolves the module by name, because its path differs between source and build. */
const bootstrapScript = `
  const { createRequire } = require("node:module")
  const { pathToFileURL } = require("node:url")
  const { workerData } = require("node:worker_threads")
  import(pathToFileURL(createRequire(workerData.from).resolve(workerData.module)).href)
`

type ThreadEnded = "ThreadEnded"

const maxThreads = 2

/** The maximum size of a body that the main thread unpacks. At this size, unpacking takes less than 5 ms. */
const maxInlineBytes = 64 * 1024
