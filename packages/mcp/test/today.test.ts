/** Tests updates to Today, with a notifier that the test controls. */
import { ChangeNotifier } from "@trailbook/core/event"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { assert, beforeEach, describe, it } from "vitest"
import * as McpHandlers from "../src/McpHandlers.ts"
import { watchTodaysTrips } from "../src/stdio.ts"
import { type World, world } from "./World.ts"

describe("watchToday", () => {
  let here: World
  let raft: string
  beforeEach(async () => {
    here = await world()
    raft = (await here.call("offerings.create", { name: "Raft", kind: "class", capacity: 8 })).id
  })

  const departure = async (starts_at: string) =>
    (await here.call("sessions.create", { offering_id: raft, starts_at })).data[0]?.id ?? assert.fail()
  const book = (session_id: string, email: string) =>
    here.call("bookings.create", { offering_id: raft, session_id, customer: { email, name: email } })

  /** Starts watching. Returns a function that runs work and returns the number of updates that the work caused. */
  const watching = () =>
    Effect.gen(function*() {
      const { resources } = yield* McpHandlers.make
      const heads = yield* Queue.unbounded<number>()
      // The watcher requests the next head once it has handled the previous one.
      const headRequests = yield* Queue.unbounded<void>()
      const next = () => Effect.zipRight(Queue.offer(headRequests, undefined), Queue.take(heads))
      let updates = 0
      const { start } = yield* watchTodaysTrips(
        here.actor.orgId,
        resources.read(here.caller(), "trailbook://today"),
        Effect.sync(() => {
          updates++
        })
      ).pipe(Effect.provideService(
        ChangeNotifier,
        ChangeNotifier.of({ head: () => Effect.succeed(0), watch: () => Effect.succeed({ next }) })
      ))
      let head = 0
      return {
        start,
        caused: (work: () => Promise<unknown>) =>
          Effect.gen(function*() {
            const before = updates
            yield* Queue.take(headRequests)
            yield* Effect.promise(work)
            yield* Queue.offer(heads, ++head)
            yield* Queue.take(headRequests)
            yield* Queue.offer(headRequests, undefined)
            return updates - before
          })
      }
    })

  it("sends an update only after a change to today's trips or guests", async () => {
    const today = await departure("2027-06-05T20:00:00Z")
    const tomorrow = await departure("2027-06-06T20:00:00Z")
    await here.run(Effect.gen(function*() {
      const { caused, start } = yield* watching()
      yield* start
      const changes: ReadonlyArray<readonly [() => Promise<unknown>, number]> = [
        [() => Promise.resolve(), 0],
        [() => book(tomorrow, "ann@example.com"), 0],
        [() => book(today, "bob@example.com"), 1],
        [() => Effect.runPromise(here.clock.advance(60_000)), 0],
        [
          () =>
            here.call("bookings.create", {
              offering_id: raft,
              session_id: today,
              customer: { email: "c@example.com", name: "C" },
              hold_minutes: 30
            }),
          1
        ],
        [() => departure("2027-06-05T22:00:00Z"), 1],
        [() => here.call("sessions.cancel", { id: tomorrow }), 0],
        [() => here.call("sessions.cancel", { id: today }), 1]
      ]
      for (const [at, [work, expected]] of changes.entries()) {
        assert.strictEqual(yield* caused(work), expected, `change ${at}`)
      }
    }))
  })

  it("sends an update after a change that precedes its first read", async () => {
    const today = await departure("2027-06-05T20:00:00Z")
    await here.run(Effect.gen(function*() {
      const { caused, start } = yield* watching()
      yield* start
      yield* Effect.promise(() => book(today, "ann@example.com"))
      assert.strictEqual(yield* caused(() => Promise.resolve()), 1)
    }))
  })
})
