/** Tests restarting the demo days or months after it was created. */
import { availabilityGet } from "@trailbook/core/availability"
import { bookingsCancel, bookingsList } from "@trailbook/core/booking"
import { Mailer } from "@trailbook/core/mail"
import { Registry } from "@trailbook/core/operation"
import { sessionsCancel, sessionsList } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as MemoryStorage from "@trailbook/memory"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { FakeFiles } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { runs } from "../../../test/runs.ts"
import { callOperation } from "../src/callOperation.ts"
import type { DemoFile } from "../src/DemoFile.ts"
import * as DemoPayments from "../src/DemoPayments.ts"
import { extendSeason, getLastStoryDate } from "../src/extendSeason.ts"
import { makeStoryClock } from "../src/runStory.ts"
import { seedDemo as seeding } from "../src/seedDemo.ts"

const day = 86_400_000
const madeAt = Instant.make(Date.parse("2027-02-20T17:00:00Z"))

const made7 = Effect.map(
  seeding({ seed: 7, now: madeAt, publicUrl: "http://127.0.0.1:4000", files: FakeFiles.layer }),
  ({ offerings, org }): DemoFile => ({
    api_key: "",
    org_id: org.id,
    offering_id: offerings.brownsCanyon,
    offerings,
    seed: 7,
    made_at: Instant.format(madeAt),
    told_until: LocalDate.format(getLastStoryDate(madeAt))
  })
)

/** Starts a server at the given time and runs the work on it. */
const at = <A, E>(ms: number, work: Effect.Effect<A, E, Effect.Effect.Context<ReturnType<typeof extendSeason>>>) =>
  work.pipe(
    Effect.provide(engineLayer(NodeIds.layer, "none", { payments: DemoPayments.layer })),
    Effect.withClock(makeStoryClock(Instant.make(ms)))
  )

const startedOn = (ms: number, demo: DemoFile) =>
  Effect.map(at(ms, extendSeason(demo)), (told_until): DemoFile => ({ ...demo, told_until }))

/** Lists all sessions and bookings without their IDs, which differ between runs. */
const listRows = (demo: DemoFile) =>
  Effect.gen(function*() {
    const as = { orgId: demo.org_id, source: "api" as const }
    const sessions = yield* callOperation(as, sessionsList, { limit: 500 })
    const bookings = yield* callOperation(as, bookingsList, { limit: 500 })
    return {
      sessions: sessions.data.map(({ booked, offering_id, starts_at, status }) =>
        `${starts_at} ${offering_id} ${status} ${booked}`
      ).toSorted(),
      bookings: bookings.data.map(({ customer, offering_id, paid_at, quantity, starts_at, status }) =>
        [starts_at, offering_id, quantity, customer.email, status, paid_at === null].join(" ")
      ).toSorted()
    }
  })

const run = <A, E>(program: Effect.Effect<A, E, Layer.Layer.Success<typeof world>>) =>
  Effect.runPromise(Effect.provide(program, world))
const world = Layer.merge(
  MemoryStorage.layer,
  Layer.succeed(Mailer, { send: () => Effect.succeed({ reportRequested: false }) })
)

describe("a restarted demo", () => {
  it("adds upcoming trips without changing past ones", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.integer({ min: day, max: 200 * day }), async (after) => {
        const now = madeAt + after
        const { before, free, is } = await run(Effect.gen(function*() {
          const demo = yield* made7
          const before = yield* at(madeAt, listRows(demo))
          const extendedDemo = yield* startedOn(now, demo)
          const is = yield* at(now, listRows(extendedDemo))
          const as = { orgId: demo.org_id, source: "api" as const }
          const free = yield* at(now, callOperation(as, availabilityGet, { id: demo.offering_id }))
          return { before, free, is }
        }))
        expect(free.data.length).toBeGreaterThanOrEqual(5)
        expect(free.data[0]?.remaining).toBe(1)
        const pastRows = (rows: ReadonlyArray<string>) => rows.filter((row) => row < new Date(now).toISOString())
        // The past must not change. Expired holds are not released, because no worker runs here.
        expect(pastRows(is.bookings)).toEqual(pastRows(before.bookings))
        expect(new Set(is.sessions.map((row) => row.split(" ").slice(0, 2).join())).size).toBe(is.sessions.length)
      }),
      { numRuns: runs(5, 1) }
    )
  })

  it("changes nothing if it was already extended that day", async () => {
    const now = madeAt + 23 * day
    const [once, twice, unwritten] = await run(Effect.gen(function*() {
      const demo = yield* made7
      const extendedDemo = yield* startedOn(now, demo)
      const once = yield* at(now, listRows(demo))
      yield* startedOn(now + 1000, extendedDemo)
      const twice = yield* at(now, listRows(demo))
      yield* startedOn(now + 2000, demo)
      return [once, twice, yield* at(now, listRows(demo))]
    }))
    expect(twice).toEqual(once)
    expect(unwritten).toEqual(once)
  })

  it("recovers from a startup that was interrupted at any step", async () => {
    const now = madeAt + 30 * day
    const whole = await run(Effect.gen(function*() {
      const demo = yield* startedOn(now, yield* made7)
      return yield* at(now, listRows(demo))
    }))
    const brokenOff = (calls: number) =>
      run(Effect.gen(function*() {
        const demo = yield* made7
        let remainingCalls = calls
        const cut = Effect.flatMap(Registry, (registry) =>
          Effect.provideService(extendSeason(demo), Registry, {
            ...registry,
            run: (name, input) => remainingCalls-- > 0 ? registry.run(name, input) : Effect.die("power cut")
          }))
        const { _tag } = yield* Effect.exit(at(now, cut))
        expect(_tag).toBe("Failure")
        return yield* at(now, listRows(yield* startedOn(now, demo)))
      }))
    for (const calls of [0, 1, 8, 33]) expect(await brokenOff(calls), `${calls} calls`).toEqual(whole)
  })

  it("does not restore canceled trips or deleted bookings", async () => {
    await run(Effect.gen(function*() {
      const demo = yield* made7
      const as = { orgId: demo.org_id, source: "dashboard" as const }
      const soon = madeAt + 10 * day
      const calledOff = yield* at(
        madeAt,
        Effect.gen(function*() {
          const { data } = yield* callOperation(as, sessionsList, {
            from: Instant.format(Instant.make(soon)),
            limit: 1
          })
          const [session] = data
          yield* callOperation(as, sessionsCancel, { id: session?.id ?? "" })
          for (const { id } of (yield* callOperation(as, bookingsList, { limit: 500 })).data) {
            yield* callOperation(as, bookingsCancel, { id })
          }
          return session?.starts_at
        })
      )
      const is = yield* at(soon - day, listRows(yield* startedOn(soon - day, demo)))
      expect(is.sessions.filter((row) => row.startsWith(calledOff ?? "none")).join()).toMatch(/ cancelled 0$/)
      expect(is.bookings.filter((row) => row.includes(" confirmed ")).length).toBeLessThan(30)
    }))
  })
})
