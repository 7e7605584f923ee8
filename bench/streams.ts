/**
 * Measures the database queries and the CPU time of open, idle dashboard tabs. The tabs belong to five outfitters, each
 * with its own sign-in.
 */
import { ChangeNotifier } from "@trailbook/core/event"
import { Orgs } from "@trailbook/core/org"
import { EventLog } from "@trailbook/core/port"
import type { ReplyStream } from "@trailbook/http/response/Reply"
import * as SseHub from "@trailbook/web/live/SseHub"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { setMaxListeners } from "node:events"
import { join } from "node:path"
import { world } from "./messages/outfitter.ts"
import type { Line } from "./report.ts"

const tabs = 500
const outfitters = 5
const seconds = 10
/** Queries per second. The margin allows for a timer that fires early. */
const maxQueriesPerSecond = 1.1

const readToEnd = async ({ next }: ReplyStream): Promise<void> => {
  while (await next() !== undefined);
}

export const streams = (folder: string): Promise<ReadonlyArray<Line>> => {
  const queries = { times: 0 }
  const countingLayer = Layer.effect(
    EventLog,
    Effect.map(EventLog, (log) =>
      EventLog.of({
        ...log,
        heads: (orgIds) => {
          queries.times++
          return log.heads(orgIds)
        }
      }))
  )
  const program = Effect.gen(function*() {
    const orgs = yield* Effect.replicateEffect(
      Effect.flatMap(Orgs, ({ create }) => create({ name: "Bench River Co.", timezone: "America/Denver" })),
      outfitters
    )
    const { open } = SseHub.make(yield* ChangeNotifier)
    const goingDown = new AbortController()
    setMaxListeners(0, goingDown.signal)
    const ends: Array<Promise<void>> = []
    for (let nth = 0; nth < tabs; nth++) {
      const orgId = orgs[nth % outfitters]?.id ?? ""
      const listener = { orgId, loginId: `login ${nth}`, isSignedIn: Effect.succeed(true), goingDown: goingDown.signal }
      const { body } = yield* open(listener)
      ends.push(readToEnd(body as ReplyStream))
    }
    yield* Effect.sleep("2 seconds")
    queries.times = 0
    const before = process.cpuUsage()
    yield* Effect.sleep(`${seconds} seconds`)
    const { system, user } = process.cpuUsage(before)
    const perSecond = queries.times / seconds
    goingDown.abort()
    yield* Effect.promise(() => Promise.all(ends))
    const lines: ReadonlyArray<Line> = [
      {
        what: `database queries per second for ${tabs} open tabs of ${outfitters} outfitters`,
        figure: `${perSecond.toFixed(2)} /s`,
        promise: { text: `at most ${maxQueriesPerSecond} per second`, kept: perSecond <= maxQueriesPerSecond }
      },
      {
        what: `CPU time per second for ${tabs} open tabs of ${outfitters} outfitters`,
        figure: `${((user + system) / 1000 / seconds).toFixed(2)} ms/s`
      }
    ]
    return lines
  })
  // The engine has its own notifier, which has no subscribers.
  const engine = world(`sqlite:${join(folder, "streams.sqlite")}`)
  return Effect.runPromise(
    program.pipe(
      Effect.provide(Layer.provideMerge(Layer.provide(Layer.fresh(ChangeNotifier.layer), countingLayer), engine)),
      Effect.scoped
    )
  )
}
