/**
 * What open tabs of the dashboard cost while nothing happens: how often the database is asked, and CPU. All are of five
 * outfitters, and each is of a login of its own.
 */
import { ChangeNotifier } from "@trailbook/core/event/ChangeNotifier"
import { Orgs } from "@trailbook/core/org/Orgs"
import { EventLog } from "@trailbook/core/port/EventLog"
import type { StreamedReply } from "@trailbook/http/Reply"
import * as Streams from "@trailbook/web/live/SseHub"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { setMaxListeners } from "node:events"
import { join } from "node:path"
import { world } from "./messages/desk.ts"
import type { Line } from "./report.ts"

const tabs = 500
const outfitters = 5
const seconds = 10
/** Questions a second; a timer may come early. */
const most = 1.1

const listened = async ({ next }: StreamedReply): Promise<void> => {
  while (await next() !== undefined);
}

export const streams = (folder: string): Promise<ReadonlyArray<Line>> => {
  const asked = { times: 0 }
  const counted = Layer.effect(
    EventLog,
    Effect.map(EventLog, (log) =>
      EventLog.of({
        ...log,
        heads: (orgIds) => {
          asked.times++
          return log.heads(orgIds)
        }
      }))
  )
  const program = Effect.gen(function*() {
    const orgs = yield* Effect.replicateEffect(
      Effect.flatMap(Orgs, ({ create }) => create({ name: "Bench River Co.", timezone: "America/Denver" })),
      outfitters
    )
    const { open } = Streams.make(yield* ChangeNotifier)
    const goingDown = new AbortController()
    setMaxListeners(0, goingDown.signal)
    const ends: Array<Promise<void>> = []
    for (let nth = 0; nth < tabs; nth++) {
      const orgId = orgs[nth % outfitters]?.id ?? ""
      const listener = { orgId, loginId: `login ${nth}`, isSignedIn: Effect.succeed(true), goingDown: goingDown.signal }
      const { body } = yield* open(listener)
      ends.push(listened(body as StreamedReply))
    }
    yield* Effect.sleep("2 seconds")
    asked.times = 0
    const before = process.cpuUsage()
    yield* Effect.sleep(`${seconds} seconds`)
    const { system, user } = process.cpuUsage(before)
    const perSecond = asked.times / seconds
    goingDown.abort()
    yield* Effect.promise(() => Promise.all(ends))
    const lines: ReadonlyArray<Line> = [
      {
        what: `${tabs} tabs of ${outfitters} outfitters: questions to the database`,
        figure: `${perSecond.toFixed(2)} /s`,
        promise: { text: `at most ${most} a second`, kept: perSecond <= most }
      },
      {
        what: `${tabs} tabs of ${outfitters} outfitters: CPU`,
        figure: `${((user + system) / 1000 / seconds).toFixed(2)} ms/s`
      }
    ]
    return lines
  })
  // The engine has one of its own, which nobody watches.
  const engine = world(`sqlite:${join(folder, "streams.sqlite")}`)
  return Effect.runPromise(
    program.pipe(
      Effect.provide(Layer.provideMerge(Layer.provide(Layer.fresh(ChangeNotifier.layer), counted), engine)),
      Effect.scoped
    )
  )
}
