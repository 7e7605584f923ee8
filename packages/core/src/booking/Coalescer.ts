/**
 * Gathers single requests into batches without a timer. A batch starts at once
 * when a lane is free, so an idle system waits for nothing; while one runs, the
 * next gathers, so under load the commit under way is the clock.
 *
 * - Requests that have a key in common are never in two batches at a time, and
 *   none overtakes another: one with two keys would else wait for ever.
 * - Who gives up while queued is dropped. A batch that has started is run to its
 *   end whoever still listens.
 *
 * Measured with a prototype against one transaction a request: 14 to 15 thousand
 * bookings a second against 1.3 (one hot offering) and 2.9 thousand (spread).
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"

interface Waiting<In, Out, E> {
  readonly keys: ReadonlyArray<string>
  readonly input: In
  readonly resume: (answer: Effect.Effect<Out, E>) => void
  gone: boolean
  started: boolean
}

/**
 * @category models
 */
export interface Coalescer<In, Out, E> {
  readonly submit: (keys: ReadonlyArray<string>, input: In) => Effect.Effect<Out, E>
}

/**
 * @category constructors
 */
export const make = <In, Out, E, R>(options: {
  /** How many batches may run at a time. */
  readonly lanes: number
  /** How many requests a batch may hold. */
  readonly batch: number
  /**
   * What a free lane waits for before it takes its batch, so that those who are
   * asking at the same moment come along; again as long as somebody came
   * meanwhile and there is room. Where a unit of work never waits, as on SQLite,
   * nobody else is heard while it runs, and every batch would be of one.
   */
  readonly gather?: Effect.Effect<void>
  /** Answers every input, in order. */
  readonly run: (inputs: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Exit.Exit<Out, E>>, never, R>
}): Effect.Effect<Coalescer<In, Out, E>, never, R | Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const fork = Runtime.runFork(yield* Effect.runtime<R>())
    let queue: Array<Waiting<In, Out, E>> = []
    const busy = new Set<string>()
    let running = 0

    /** Says of each who waits, in their order, whether a lane could take them now. */
    const whoMayGo = () => {
      const blocked = new Set(busy)
      return ({ keys }: Waiting<In, Out, E>): boolean => {
        const mayGo = !keys.some((key) => blocked.has(key))
        if (!mayGo) { for (const key of keys) blocked.add(key) }
        return mayGo
      }
    }

    const next = (): ReadonlyArray<Waiting<In, Out, E>> => {
      const mayGo = whoMayGo()
      const taken: Array<Waiting<In, Out, E>> = []
      const left: Array<Waiting<In, Out, E>> = []
      for (const waiting of queue) {
        if (waiting.gone) continue
        if (taken.length < options.batch && mayGo(waiting)) taken.push(waiting)
        else left.push(waiting)
      }
      queue = left
      return taken
    }

    const isSomebodyFree = (): boolean => {
      const mayGo = whoMayGo()
      return queue.some((waiting) => !waiting.gone && mayGo(waiting))
    }

    const answer = (
      batch: ReadonlyArray<Waiting<In, Out, E>>,
      exit: Exit.Exit<ReadonlyArray<Exit.Exit<Out, E>>>
    ): void => {
      const answers = Exit.isSuccess(exit) ? exit.value : []
      const missing = Exit.isFailure(exit)
        ? Effect.failCause(exit.cause)
        : Effect.die(new Error("A batch left a request without an answer."))
      batch.forEach(({ resume }, at) => resume(answers[at] ?? missing))
    }

    /** One batch on one lane; says whether there was one. */
    const serve = Effect.suspend(() => {
      const batch = next()
      if (batch.length === 0) return Effect.succeed(false)
      const keys = new Set(batch.flatMap(({ keys }) => keys))
      for (const key of keys) busy.add(key)
      for (const waiting of batch) waiting.started = true
      // Suspended, because a run that throws is a defect of its batch and not of the lane.
      const answers = Effect.suspend(() => options.run(batch.map(({ input }) => input)))
      return Effect.map(Effect.exit(answers), (exit) => {
        for (const key of keys) busy.delete(key)
        answer(batch, exit)
        return true
      })
    })

    const { gather } = options
    const gathering: Effect.Effect<void> = gather === undefined ? Effect.void : Effect.suspend(() => {
      const before = queue.length
      const isGrowing = () => queue.length > before && queue.length < options.batch
      return Effect.flatMap(gather, () => isGrowing() ? gathering : Effect.void)
    })

    // A lane is opened only for somebody whom it can take: one that found every key busy would open itself again.
    const pump = (): void => {
      while (running < options.lanes && isSomebodyFree()) {
        running++
        fork(Effect.uninterruptible(Effect.zipRight(gathering, serve)), { scope }).addObserver(
          (exit) => {
            running--
            if (Exit.isSuccess(exit)) {
              // What a lane came too late for is left to the lanes that were faster.
              if (exit.value) pump()
            } else {
              // No lane opens any more, for the scope is closed: who waits has to hear of it.
              const waiting = queue
              queue = []
              answer(waiting, Exit.failCause(exit.cause))
            }
          }
        )
      }
    }

    return {
      submit: (keys, input) =>
        Effect.async<Out, E>((resume) => {
          const waiting: Waiting<In, Out, E> = { keys, input, resume, gone: false, started: false }
          queue.push(waiting)
          if (!keys.some((key) => busy.has(key))) pump()
          return Effect.sync(() => {
            if (waiting.started) return
            waiting.gone = true
            // Who waited behind them for one of their keys may be the next.
            if (keys.length > 1) pump()
          })
        })
    }
  })
