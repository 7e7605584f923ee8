/**
 * Groups concurrent requests into batches without a timer. A batch starts immediately if fewer than `concurrency`
 * batches are running, so an idle system adds no latency. While batches run, new requests queue up for the next batch,
 * so the batch size grows with the load.
 *
 * - Two running batches never share a key.
 * - Requests that share a key run in submission order. Otherwise, a request with two keys could starve.
 * - A request that is interrupted while queued is dropped. A running batch is never interrupted.
 *
 * A prototype reached 14,000–15,000 bookings per second. One transaction per request reached 1,300 bookings per second
 * with a single hot offering, and 2,900 with the load spread over many offerings.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import type * as Scope from "effect/Scope"
import { monotonicMillis } from "../time/currentTime.ts"

export interface KeyedBatcher<In, Out, E> {
  readonly submit: (keys: ReadonlyArray<string>, input: In) => Effect.Effect<Out, E>
}

export interface BatchOptions {
  /** The maximum number of concurrent batches. */
  readonly concurrency: number
  /** The maximum number of requests per batch. */
  readonly maxBatchSize: number
  /**
   * The delay before a batch starts, during which concurrent requests can join it. It is repeated as long as the queue
   * grows. On a busy server, every turn of the event loop adds requests, so the total delay is limited to 10 ms. SQLite
   * requires a delay, because its transactions block the event loop: no request can arrive while a batch runs, so every
   * batch would contain one request.
   */
  readonly linger?: Effect.Effect<void>
}

interface QueuedItem<In, Out, E> {
  readonly keys: ReadonlyArray<string>
  readonly input: In
  readonly resume: (result: Effect.Effect<Out, E>) => void
  readonly queuedAt: bigint
  isCanceled: boolean
  hasStarted: boolean
}

/**
 * The maximum total delay. Most concurrent requests arrive within one or two turns of the event loop, which take a few
 * milliseconds.
 */
const maxLingerMs = 10

export const make = <In, Out, E>({ concurrency, linger, maxBatchSize, onStart, run }: BatchOptions & {
  /** Called when a batch starts, with the number of seconds that each request in the batch waited in the queue. */
  readonly onStart?: (waitedSeconds: ReadonlyArray<number>) => void
  /** Returns one result per input, in input order. */
  readonly run: (inputs: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Exit.Exit<Out, E>>>
}): Effect.Effect<KeyedBatcher<In, Out, E>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const clock = yield* Effect.clock
    // Fork with an empty context and without metrics. Batches need no services, and copying a context costs time per
    // fiber.
    const runtime = Runtime.disableRuntimeFlag(yield* Effect.runtime(), RuntimeFlags.RuntimeMetrics)
    const fork = Runtime.runFork(Runtime.updateContext(runtime, Context.empty))
    const fibers = new Set<Fiber.RuntimeFiber<boolean>>()
    const busyKeys = new Set<string>()
    let queue: Array<QueuedItem<In, Out, E>> = []

    /**
     * Returns a predicate that the caller applies to the queued requests in order. The predicate also blocks the keys
     * of every request that it skips.
     */
    const makeCanStart = () => {
      const blockedKeys = new Set(busyKeys)
      return ({ keys }: QueuedItem<In, Out, E>): boolean => {
        const canStart = !keys.some((key) => blockedKeys.has(key))
        if (!canStart) { for (const key of keys) blockedKeys.add(key) }
        return canStart
      }
    }

    const takeBatch = (): ReadonlyArray<QueuedItem<In, Out, E>> => {
      const canStart = makeCanStart()
      const batch: Array<QueuedItem<In, Out, E>> = []
      const remainingItems: Array<QueuedItem<In, Out, E>> = []
      for (const request of queue) {
        if (request.isCanceled) continue
        if (batch.length < maxBatchSize && canStart(request)) batch.push(request)
        else remainingItems.push(request)
      }
      queue = remainingItems
      return batch
    }

    const hasStartable = (): boolean => {
      const canStart = makeCanStart()
      return queue.some((request) => !request.isCanceled && canStart(request))
    }

    const complete = (
      batch: ReadonlyArray<QueuedItem<In, Out, E>>,
      exit: Exit.Exit<ReadonlyArray<Exit.Exit<Out, E>>>
    ): void => {
      const results = Exit.isSuccess(exit) ? exit.value : []
      const missingResult = Exit.isFailure(exit)
        ? Effect.failCause(exit.cause)
        : Effect.die(new Error("Invariant violated: request without a result"))
      batch.forEach(({ resume }, index) => resume(results[index] ?? missingResult))
    }

    /** Runs one batch. Returns false if no queued request could run. */
    const runBatch = Effect.suspend(() => {
      const batch = takeBatch()
      if (batch.length === 0) return Effect.succeed(false)
      const keys = new Set(batch.flatMap(({ keys }) => keys))
      for (const key of keys) busyKeys.add(key)
      for (const request of batch) request.hasStarted = true
      const now = clock.unsafeCurrentTimeNanos()
      onStart?.(batch.map(({ queuedAt }) => Number(now - queuedAt) / 1e9))
      // Suspend the call so that an exception in `run` fails this batch instead of the fiber.
      const results = Effect.suspend(() => run(batch.map(({ input }) => input)))
      return Effect.map(Effect.exit(results), (exit) => {
        for (const key of keys) busyKeys.delete(key)
        complete(batch, exit)
        return true
      })
    })

    const lingerUntil = (deadline: number, delay: Effect.Effect<void>): Effect.Effect<void> =>
      Effect.suspend(() => {
        const previousLength = queue.length
        return Effect.flatMap(Effect.zipRight(delay, monotonicMillis), (now) => {
          const isGrowing = queue.length > previousLength && queue.length < maxBatchSize
          return isGrowing && now < deadline ? lingerUntil(deadline, delay) : Effect.void
        })
      })
    const waitForMore = linger === undefined
      ? Effect.void
      : Effect.flatMap(monotonicMillis, (now) => lingerUntil(now + maxLingerMs, linger))

    // Start a fiber only if it can run a request. If all keys were busy, a fiber would end immediately and be restarted
    // in a loop.
    const startBatches = (): void => {
      while (fibers.size < concurrency && hasStartable()) {
        const fiber = fork(Effect.uninterruptible(Effect.zipRight(waitForMore, runBatch)))
        fibers.add(fiber)
        fiber.addObserver((exit) => {
          fibers.delete(fiber)
          // If `linger` failed, it would fail again, so fail all queued requests.
          if (Exit.isFailure(exit)) complete(queue.splice(0), Exit.failCause(exit.cause))
          // If this fiber found no batch, another fiber took the requests and will start the next batches when it
          // finishes.
          else if (exit.value) startBatches()
        })
      }
    }

    // Wait for the running batches, because the resources they use are closed after this scope.
    yield* Effect.addFinalizer(() => Fiber.awaitAll(fibers))

    return {
      submit: (keys, input) =>
        Effect.async<Out, E>((resume) => {
          const queuedAt = clock.unsafeCurrentTimeNanos()
          const request: QueuedItem<In, Out, E> = {
            keys,
            input,
            resume,
            queuedAt,
            isCanceled: false,
            hasStarted: false
          }
          queue.push(request)
          if (!keys.some((key) => busyKeys.has(key))) startBatches()
          return Effect.sync(() => {
            if (request.hasStarted) return
            request.isCanceled = true
            // A later request may have been waiting only because this request blocked one of its keys.
            if (keys.length > 1) startBatches()
          })
        })
    }
  })
