import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Worker } from "node:worker_threads"
import type { ParseResult } from "./ParsedMail.ts"
import { parseHeadersOnly, readAll, type SharedRequest } from "./parseMail.ts"
import { parseProviderPayload, type Posted, type ProviderPayload } from "./parseProviderPayload.ts"
import type { Task } from "./parserWorker.ts"
import { quotaKey } from "./quotaKey.ts"

/**
 * Reads mails. It never fails: a mail that cannot be read, or not within 20 seconds,
 * is one that says so.
 */
export class MailParserPool extends Context.Tag("@trailbook/mail/MailParserPool")<
  MailParserPool,
  {
    /** Reads a mail for each of its recipients, in their order. */
    readonly read: (request: SharedRequest) => Effect.Effect<ReadonlyArray<ParseResult>>
    /** Finds the mail in what a provider posted. */
    readonly unpack: (posted: Posted) => Effect.Effect<ProviderPayload | undefined>
  }
>() {
  /** In threads beside this one, two at most, which are started when mail comes. */
  static readonly layer: Layer.Layer<MailParserPool> = Layer.scoped(MailParserPool, Effect.suspend(() => threads()))

  /** In this thread, which does nothing else meanwhile. For programs that cannot start another. */
  static readonly layerInline: Layer.Layer<MailParserPool> = Layer.succeed(
    MailParserPool,
    MailParserPool.of({
      read: (request) => Effect.promise(() => readAll(request)),
      unpack: (posted) => Effect.sync(() => parseProviderPayload(posted))
    })
  )
}

/** What the threads are made of, for tests that run from source. */
export const threads = (
  { module = "@trailbook/mail/inbound/parserWorker", withinMs = 20_000 }: {
    readonly module?: string
    readonly withinMs?: number
  } = {}
) =>
  Effect.gen(function*() {
    const idle: Array<Worker> = []
    const all = new Set<Worker>()
    yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all([...all].map((worker) => worker.terminate()))))
    const turns = yield* Effect.makeSemaphore(mostThreads)
    const turnsOfSenders = new Map<string, { readonly turn: Effect.Semaphore; users: number }>()

    /** One sender occupies one thread, so the mail of others is read in the other one. */
    const inTurn = <A, E>(sender: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          const entry = turnsOfSenders.get(sender) ?? { turn: Effect.unsafeMakeSemaphore(1), users: 0 }
          turnsOfSenders.set(sender, entry)
          entry.users++
          return entry
        }),
        ({ turn }) => turn.withPermits(1)(turns.withPermits(1)(effect)),
        (entry) =>
          Effect.sync(() => {
            entry.users--
            if (entry.users === 0) turnsOfSenders.delete(sender)
          })
      )

    const start = Effect.flatMap(
      Effect.sync(() => {
        // A mail that makes more of itself than this ends its thread, and not the process.
        const worker = new Worker(begin, {
          eval: true,
          workerData: { from: import.meta.url, module },
          // Without what this process was told, such as to run sources as they are: a thread runs what is built.
          execArgv: [],
          resourceLimits: { maxOldGenerationSizeMb: 512 }
        })
        all.add(worker)
        // An idle thread keeps no process from ending. One that ends by itself is no longer there for the next mail;
        // without a listener its error would end the process.
        worker.unref()
        worker.on("error", () => {})
        worker.once("exit", () => {
          all.delete(worker)
          const at = idle.indexOf(worker)
          if (at >= 0) idle.splice(at, 1)
        })
        return worker
      }),
      (worker) =>
        Effect.async<Worker>((resume) => {
          const failed = (error: unknown) => {
            resume(Effect.die(new Error("The mail parser thread cannot be started.", { cause: error })))
          }
          worker.once("error", failed)
          worker.once("message", () => {
            worker.off("error", failed)
            resume(Effect.succeed(worker))
          })
        })
    )

    const end = (worker: Worker) => Effect.promise(() => worker.terminate())

    const asked = <A>(worker: Worker, task: Task) =>
      Effect.async<A, ThreadEnded>((resume) => {
        const answered = (answer: A): void => {
          worker.off("error", failed).off("exit", failed)
          resume(Effect.succeed(answer))
        }
        const failed = (): void => {
          worker.off("message", answered)
          resume(Effect.fail("ThreadEnded"))
        }
        worker.once("message", answered).once("error", failed).once("exit", failed)
        // Nothing is handed over: should the thread end, the headers are still read here.
        worker.postMessage(task, [])
      })

    const inThread = <A>(task: Task) =>
      Effect.acquireUseRelease(
        Effect.suspend(() => {
          const worker = idle.pop()
          return worker === undefined ? start : Effect.succeed(worker)
        }),
        (worker) =>
          Effect.timeoutFail(asked<A>(worker, task), {
            duration: withinMs,
            onTimeout: (): ThreadEnded => "ThreadEnded"
          }),
        // Whoever did not answer is in the middle of something, and may never end.
        (worker, exit) => exit._tag === "Success" ? Effect.sync(() => void idle.push(worker)) : end(worker)
      )

    return MailParserPool.of({
      read: (request) =>
        inTurn(quotaKey(request.envelope), inThread<ReadonlyArray<ParseResult>>({ _tag: "Read", request })).pipe(
          Effect.catchAll(() => Effect.sync(() => request.to.map((to) => parseHeadersOnly({ ...request, to })))),
          Effect.withSpan("MailReader.read", { attributes: { bytes: request.raw.length } })
        ),
      unpack: (posted) =>
        posted.body.length <= maxInlineBytes
          ? Effect.sync(() => parseProviderPayload(posted))
          : turns.withPermits(1)(inThread<ProviderPayload | undefined>({ _tag: "Unpack", posted })).pipe(
            Effect.catchAll(() => Effect.dieMessage("The mail parser thread exited."))
          )
    })
  })

/** Finds the module by its name, in the thread: by its place it would not be found from where sources lie. */
const begin = `
  const { createRequire } = require("node:module")
  const { pathToFileURL } = require("node:url")
  const { workerData } = require("node:worker_threads")
  import(pathToFileURL(createRequire(workerData.from).resolve(workerData.module)).href)
`

type ThreadEnded = "ThreadEnded"

const mostThreads = 2

/** The longest body that is unpacked in the thread that answers requests, which takes less than 5 ms. */
const maxInlineBytes = 64 * 1024
