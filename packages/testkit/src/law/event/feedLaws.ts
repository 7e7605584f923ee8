/**
 * Reads the feed the way clients do. A client that continues from `next_after` never misses or repeats an event,
 * despite concurrent writes and clock jumps.
 */
import { Events, type EventType } from "@trailbook/core/event"
import type { StoredEvent } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Ref from "effect/Ref"
import * as SettableClock from "../../fake/SettableClock.ts"
import { origin } from "../../generator/moment.ts"
import { lawForAll } from "../Law.ts"
import { createEmptyOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { newEvent } from "./endpoints.ts"

interface Poller {
  readonly limit: number
  readonly type: EventType | undefined
}

const types = ["booking.held", "booking.confirmed", "org.updated"] as const

const poller: FastCheck.Arbitrary<Poller> = FastCheck.record({
  limit: FastCheck.integer({ min: 1, max: 5 }),
  type: FastCheck.option(FastCheck.constantFrom(...types), { nil: undefined })
})

const pollers = FastCheck.array(poller, { minLength: 1, maxLength: 3 })

/** Creates a client that reads one org's feed, checks each event, and records its position and the events' IDs. */
const readFeed = (orgId: string, { limit, type }: Poller, check: (event: StoredEvent) => void = () => {}) =>
  Effect.gen(function*() {
    const events = yield* Events
    const transcript = yield* Ref.make<{ readonly after: number; readonly ids: ReadonlyArray<number> }>({
      after: 0,
      ids: []
    })
    const poll = Effect.gen(function*() {
      const { after, ids } = yield* Ref.get(transcript)
      const page = yield* events.list({ orgId, after, type, limit })
      assert.isAtLeast(page.nextAfter, after, "a cursor went back")
      page.events.forEach(check)
      yield* Ref.set(transcript, { after: page.nextAfter, ids: [...ids, ...page.events.map(({ id }) => id)] })
    })
    /** Polls until all events have arrived, and compares them with the log. */
    const finish = Effect.gen(function*() {
      const ids = yield* readIds(orgId, type)
      yield* Effect.repeatN(poll, ids.length)
      assert.deepStrictEqual((yield* Ref.get(transcript)).ids, ids)
    })
    return { poll, finish }
  })

const readIds = (orgId: string, type: EventType | undefined) =>
  Effect.map(
    Store.eventLog.latest(orgId, 1000),
    (events) => events.filter((event) => type === undefined || event.type === type).map(({ id }) => id)
  )

type Step =
  | { readonly _tag: "Write"; readonly type: EventType }
  | { readonly _tag: "Poll"; readonly by: number }
  | { readonly _tag: "Pass"; readonly ms: number }

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  FastCheck.constantFrom(...types).map((type): Step => ({ _tag: "Write", type })),
  FastCheck.nat({ max: 2 }).map((by): Step => ({ _tag: "Poll", by })),
  FastCheck.integer({ min: 0, max: 2500 }).map((ms): Step => ({ _tag: "Pass", ms })),
  FastCheck.integer({ min: -15_000, max: 15_000 }).map((ms): Step => ({ _tag: "Pass", ms }))
)

interface Feed {
  readonly orgId: string
  readonly clock: SettableClock.SettableClock
  readonly readers: ReadonlyArray<Effect.Effect.Success<ReturnType<typeof readFeed>>>
}

/**
 * Runs steps on an org's feed while clients poll it. An hour later, no event is young anymore, and every client must
 * have received every event once and in order.
 */
const withPollers = (
  pollers: ReadonlyArray<Poller>,
  steps: (feed: Feed) => Effect.Effect<unknown, never, Storage>,
  check?: (event: StoredEvent, now: number) => void
) =>
  Effect.gen(function*() {
    const { id: orgId } = yield* createEmptyOrg
    const clock = yield* SettableClock.make(origin)
    const readers = yield* Effect.forEach(pollers, (poller) =>
      readFeed(orgId, poller, (event) => check?.(event, clock.unsafeCurrentTimeMillis())))
    yield* Effect.withClock(steps({ orgId, clock, readers }), clock)
    yield* clock.advance(3_600_000)
    yield* Effect.withClock(
      Effect.forEach(readers, ({ finish }) =>
        finish),
      clock
    )
  }).pipe(Effect.provide(Events.layer))

export const feedLaws = [
  lawForAll(
    "feed/clock-jumps",
    "returns every event to pollers once and in order, even if the clock jumps by 15 s in either direction",
    FastCheck.tuple(FastCheck.array(step, { minLength: 5, maxLength: 40, size: "max" }), pollers),
    ([steps, pollers]) =>
      withPollers(pollers, ({ clock, orgId, readers }) =>
        Effect.forEach(steps, (step) => {
          switch (step._tag) {
            case "Write":
              return Store.eventLog.append([
                { ...newEvent(orgId, step.type), createdAt: Instant.make(clock.unsafeCurrentTimeMillis()) }
              ])
            case "Poll":
              return readers[step.by]?.poll ?? Effect.void
            case "Pass":
              return clock.advance(step.ms)
          }
        })),
    (runs) => runs * 3
  ),

  lawForAll(
    "feed/stalled",
    "returns events only once they are 2 seconds old, and skips none when a transaction stalls before writing",
    FastCheck.tuple(
      // The start time of each unit of work, and the delay until it writes.
      FastCheck.array(FastCheck.tuple(FastCheck.nat({ max: 4000 }), FastCheck.nat({ max: 6000 })), {
        minLength: 2,
        maxLength: 12
      }),
      pollers
    ),
    ([units, pollers]) => {
      const writes = units.map(([at, delayMs]) => ({ at, order: at + delayMs })).toSorted((a, b) => a.order - b.order)
      return withPollers(
        pollers,
        ({ clock, orgId, readers }) =>
          Effect.forEach(writes, ({ at, order }, n) =>
            Effect.gen(function*() {
              yield* clock.set(Instant.make(origin + order))
              const type = types[n % types.length] ?? "org.updated"
              yield* Store.eventLog.append([{ ...newEvent(orgId, type), createdAt: Instant.make(origin + at) }])
              yield* Effect.forEach(readers, ({ poll }) => poll)
            })),
        ({ createdAt, id }, now) => assert.isAtLeast(now - createdAt, 2000, `event ${id} is young`)
      )
    },
    (runs) => runs * 3
  ),

  lawForAll(
    "feed/writers",
    "returns every event to pollers once and in order while some writers succeed and others fail",
    FastCheck.tuple(
      pollers,
      FastCheck.array(FastCheck.tuple(FastCheck.constantFrom(...types), FastCheck.boolean()), {
        minLength: 10,
        maxLength: 40,
        size: "max"
      })
    ),
    ([pollers, writes]) =>
      withPollers(pollers, ({ clock, orgId, readers }) => {
        const write = ([type, fails]: (typeof writes)[number]) =>
          Effect.exit(Store.run(Effect.gen(function*() {
            yield* Effect.yieldNow()
            yield* Store.eventLog.append([newEvent(orgId, type)])
            yield* Effect.yieldNow()
            if (fails) yield* Effect.fail("no")
          })))
        // An hour later, all committed events are served.
        return Effect.zipRight(
          clock.advance(3_600_000),
          Effect.all([
            Effect.forEach(writes, write, { concurrency: 4, discard: true }),
            ...readers.map(({ poll }) => Effect.repeatN(Effect.zipRight(Effect.yieldNow(), poll), writes.length * 2))
          ], { concurrency: "unbounded", discard: true })
        )
      }),
    () => 5
  )
]
