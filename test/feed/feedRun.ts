/**
 * Sixteen writers and eight feed clients share four outfitters on one database. The two servers have separate clocks.
 * At the end, every page that was served is compared with the log.
 */
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { coreLayer } from "@trailbook/core/layer"
import { Orgs } from "@trailbook/core/org"
import { Payments } from "@trailbook/core/payment"
import { EventLog } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import { layerNone } from "@trailbook/core/webhook"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import type { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { type Dice, dice } from "../reliability/dice.ts"
import { checkFeed, findUnlogged, joinVerdicts, type LoggedEvent, type Verdict } from "./checkFeed.ts"
import { type OffClock, offClock } from "./OffClock.ts"
import { type Page, readFeed } from "./read.ts"
import { write, type WriteTally } from "./write.ts"

export interface FeedRun {
  readonly storage: Layer.Layer<Storage | Database, unknown>
  /**
   * The minimum duration. With `stalls`, the run continues until two transactions have stalled, for up to one more
   * minute.
   */
  readonly seconds: number
  readonly seed: string
  /**
   * Whether one writer per outfitter stalls for seconds in some of its transactions, between the event and the commit.
   */
  readonly stalls?: boolean
  /** Whether the servers' clocks jump repeatedly, by up to 15 seconds in either direction. */
  readonly clocksJump?: boolean
}

export interface Outcome {
  readonly verdict: Verdict
  readonly events: number
  readonly pages: number
  readonly stalledMillis: ReadonlyArray<number>
  /** Transactions that timed out, or that failed after appending their event. */
  readonly failed: number
  readonly jumps: number
}

const outfitters = 4
const writersEach = 4
const readersEach = 2

const makeIndexes = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, at) => at)

export const feedRun = (plan: FeedRun): Promise<Outcome> =>
  Effect.runPromise(
    play(plan).pipe(
      Effect.provide(
        coreLayer({ batches: "none" }).pipe(
          Layer.provideMerge(Layer.mergeAll(plan.storage, NodeIds.layer, Payments.layerNone, layerNone))
        )
      ),
      Logger.withMinimumLogLevel(LogLevel.Error)
    )
  )

const play = ({ clocksJump = false, seconds, seed, stalls = false }: FeedRun) =>
  Effect.gen(function*() {
    const chance = dice(seed)
    const clocks = [offClock(), offClock()]
    const pickClock = (server: number): OffClock => clocks[server % clocks.length] ?? offClock()
    const orgs = yield* Effect.forEach(makeIndexes(outfitters), (org) =>
      runOutfitter(chance.for(`outfitter ${org}`), stalls))
    let isOver = false
    const runWriters = Effect.forEach(
      orgs.flatMap(({ as, writers }) =>
        writers.map((writer) => as(writer(() => isOver)))
      ),
      (writer, server) => Effect.withClock(writer, pickClock(server)),
      { concurrency: "unbounded", discard: true }
    )
    const runReaders = Effect.forEach(
      orgs.flatMap(({ as, readers }) => readers.map((reader) => as(reader))),
      (reader, server) => Effect.withClock(reader, pickClock(server)),
      { concurrency: "unbounded", discard: true }
    )
    const jumping = Effect.iterate(0, {
      while: () => clocksJump && !isOver,
      body: (jumps) =>
        Effect.as(Effect.sleep(chance.between(100, 500)), jumps + 1).pipe(
          Effect.tap(() => Effect.sync(() => chance.pick(clocks).setOff(chance.between(-15_000, 15_000))))
        )
    })
    const feedRun = Effect.gen(function*() {
      // On a busy machine, it takes longer for two transactions to stall.
      const stood = Effect.sync(() => !stalls || orgs.flatMap(({ written }) => written.stalledMillis).length >= 2)
      const endFiber = yield* Effect.fork(
        Effect.sleep(seconds * 1000).pipe(
          Effect.zipRight(Effect.repeat(Effect.zipRight(Effect.sleep("50 millis"), stood), { until: (two) => two })),
          Effect.timeoutOption((seconds + 60) * 1000),
          Effect.tap(() =>
            Effect.sync(() => {
              isOver = true
            })
          )
        )
      )
      const [jumps] = yield* Effect.all([jumping, runWriters], { concurrency: "unbounded" })
      yield* endFiber.await
      // Move the clocks ahead, so that events from a fast clock become old enough to be served.
      if (clocksJump) { for (const clock of clocks) clock.setOff(60_000) }
      for (const org of orgs) yield* org.close
      return jumps
    })
    const [jumps] = yield* Effect.all([feedRun, runReaders], { concurrency: "unbounded" })
    return yield* computeOutcome(orgs, jumps)
  })

type Outfitter = Effect.Effect.Success<ReturnType<typeof runOutfitter>>

const runOutfitter = (chance: Dice, stalls: boolean) =>
  Effect.gen(function*() {
    const { id } = yield* (yield* Orgs).create({ name: "Salida River Co.", timezone: "America/Denver" })
    const log = yield* EventLog
    const actor = makeHostActor({ orgId: id })
    const written: WriteTally = { acknowledged: [], stalledMillis: [], failed: 0, complaints: [] }
    const feeds = makeIndexes(readersEach).map((): Array<Page> => [])
    let end: number | undefined
    const logged = Effect.map(log.latest(id, 1_000_000), (events): ReadonlyArray<LoggedEvent> =>
      events.map(({ createdAt, data, id, type }) => ({
        id,
        type,
        createdAt,
        about: String(Reflect.get(Object(data), "id"))
      })))
    return {
      written,
      feeds,
      logged,
      as: <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.provideService(work, Actor, actor),
      writers: makeIndexes(writersEach).map((at) => (isOver: () => boolean) =>
        write({ dice: chance.for(`writer ${at}`), isSleepy: stalls && at === 0 }, written, isOver)
      ),
      readers: feeds.map((pages, at) =>
        readFeed(chance.for(`reader ${at}`), pages, () => end)
      ),
      /** All writers have finished, so the last event in the log is the end of the feed. */
      close: Effect.map(logged, (events) => {
        end = events.at(-1)?.id ?? 0
      })
    }
  })

const computeOutcome = (orgs: ReadonlyArray<Outfitter>, jumps: number) =>
  Effect.map(Effect.forEach(orgs, ({ logged }) => logged), (logs): Outcome => ({
    verdict: joinVerdicts(orgs.flatMap(({ feeds, written }, at) => {
      const log = logs[at] ?? []
      return [
        ...feeds.map((pages) => checkFeed(log, pages)),
        { lost: findUnlogged(log, written.acknowledged), twice: [], early: [], wrong: written.complaints }
      ]
    })),
    events: logs.reduce((sum, { length }) => sum + length, 0),
    pages: orgs.reduce((sum, { feeds }) => sum + feeds.flat().length, 0),
    stalledMillis: orgs.flatMap(({ written }) => written.stalledMillis),
    failed: orgs.reduce((sum, { written }) => sum + written.failed, 0),
    jumps
  }))
