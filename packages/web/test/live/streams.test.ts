/** Tests the cost of 500 listening pages, measured with a test clock. */
import { ChangeNotifier } from "@trailbook/core/event"
import { EventLog } from "@trailbook/core/port"
import * as Instant from "@trailbook/core/time/Instant"
import type { ReplyStream } from "@trailbook/http/response/Reply"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { setMaxListeners } from "node:events"
import { assert, it } from "vitest"
import * as SseHub from "../../src/live/SseHub.ts"

it("the streams of 500 pages share one query per second", async () => {
  const clock = await Effect.runPromise(SettableClock.make(Instant.make(0)))
  const cost = { heads: 0, signedIn: 0 }
  const state = { head: 7 }
  const log = Layer.mock(EventLog, {
    heads: (orgIds) =>
      Effect.sync(() => {
        cost.heads++
        return orgIds.map((orgId) => ({ orgId, head: state.head }))
      })
  })
  const work = Effect.gen(function*() {
    const { open } = SseHub.make(yield* ChangeNotifier)
    const isSignedIn = Effect.sync(() => {
      cost.signedIn++
      return true
    })
    const goingDown = new AbortController()
    setMaxListeners(0, goingDown.signal)
    const streams: Array<Array<string>> = []
    for (let nth = 0; nth < 500; nth++) {
      const listener = { orgId: `org ${nth % 5}`, loginId: `login ${nth}`, isSignedIn, goingDown: goingDown.signal }
      const { body } = yield* open(listener)
      const pieces: Array<string> = []
      streams.push(pieces)
      void hear(body as ReplyStream, pieces)
    }
    yield* settle
    const second = Effect.zipRight(clock.advance(1000), settle)
    cost.heads = 0
    yield* Effect.repeatN(second, 58)
    assert.deepStrictEqual(cost, { heads: 59, signedIn: 0 })
    // The last two comments are the heartbeats after 20 and 40 seconds.
    for (const pieces of streams) assert.deepStrictEqual(pieces, [":\n\n", "data: 7\n\n", ":\n\n", ":\n\n"])
    state.head = 8
    yield* second
    assert.deepStrictEqual(cost, { heads: 60, signedIn: 500 })
    for (const pieces of streams) assert.strictEqual(pieces.at(-1), "data: 8\n\n")
    goingDown.abort()
    yield* settle
    for (const pieces of streams) assert.strictEqual(pieces.at(-1), "over")
    cost.heads = 0
    yield* Effect.repeatN(second, 10)
    assert.isAtMost(cost.heads, 1)
  })
  await Effect.runPromise(
    work.pipe(Effect.provide(Layer.provide(ChangeNotifier.layer, log)), Effect.scoped, Effect.withClock(clock))
  )
})

/** Reads the stream without delay. */
const hear = async ({ next }: ReplyStream, pieces: Array<string>): Promise<void> => {
  for (let piece = await next(); piece !== undefined; piece = await next()) pieces.push(String(piece))
  pieces.push("over")
}

/** Lets pending fibers and promises run until all are idle. */
const settle = Effect.repeatN(
  Effect.zipRight(Effect.yieldNow(), Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))),
  5
)
