/**
 * Tests large cancellations and erasures, which take many units of work. The process crashes before each unit in turn.
 * A worker or a repeated request must complete the job.
 */
import { ChunkSize } from "@trailbook/core/job/defineJob"
import { Payments } from "@trailbook/core/payment"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { origin } from "@trailbook/testkit/generator/moment"
import { law } from "@trailbook/testkit/law/Law"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import * as Store from "@trailbook/testkit/law/Store"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { assert } from "vitest"
import { crashAfter } from "./crashAfter.ts"

interface OpenedClass {
  readonly orgId: string
  readonly classId: string
  readonly sessionIds: ReadonlyArray<string>
  readonly guestId: string
  readonly bookingIds: ReadonlyArray<string>
  /** The conversation with a guest who asked several times but never booked. */
  readonly questionId: string
}

const start = (seed: number) => Effect.provide(Process.start({ seed, batches: "none" }), Payments.layerNone)

const getId = (answer: unknown): string => (answer as { readonly id: string }).id

/** Creates a class with two sessions. One guest has three bookings in each session. Every third booking is a hold. */
const openClass = ({ call, inbox }: Process.ServerProcess) =>
  Effect.gen(function*() {
    const { id: orgId } = yield* createEmptyOrg
    const ask = (name: string, input: object) => Effect.orDie(call(orgId, name, input))
    const classId = getId(yield* ask("offerings.create", { name: "Rafting", kind: "class" }))
    const starts_at = Instant.format(Instant.addMinutes(origin, 24 * 60))
    const { data } = (yield* ask("sessions.create", { offering_id: classId, starts_at, repeat_weeks: 2 })) as {
      readonly data: ReadonlyArray<{ readonly id: string }>
    }
    const sessionIds = data.map(({ id }) => id)
    const guestId = getId(yield* ask("customers.upsert", { email: "ann@a.co", name: canary }))
    const bookingIds = yield* Effect.forEach([0, 1, 2, 0, 1, 2], (at, index) =>
      Effect.map(
        ask("bookings.create", {
          offering_id: classId,
          session_id: sessionIds[index % 2],
          customer_id: guestId,
          notes: canary,
          ...(at === 2 ? { hold_minutes: 60 } : {})
        }),
        getId
      ))
    const questions = yield* Effect.forEach([1, 2, 3, 4, 5], (n) =>
      Effect.orDie(
        inbox.ask({ orgId, from: { name: stranger, email: `${stranger}@a.co` }, body: `${stranger} ${n}` })
      ))
    const questionId = questions[0]?.conversationId ?? ""
    return { orgId, classId, sessionIds, guestId, bookingIds, questionId } satisfies OpenedClass
  })

const canary = "canary"
const stranger = "wanderer"

type Check = (org: OpenedClass, eventTypes: ReadonlyArray<string>) => Effect.Effect<void, never, Storage>

/** Returns an org's latest 1,000 events, as `type id`. */
const listEventTexts = (orgId: string) =>
  Effect.map(Store.eventLog.latest(orgId, 1000), (events) => events.map(({ data, type }) => `${type} ${getId(data)}`))

const isUnfinished = Effect.map(Store.resumableJobs.untouchedSince(Instant.max, 10), ({ length }) => length > 0)

/** Returns all of an org's events, and its complete export. */
const readEverything = (orgId: string) =>
  Effect.gen(function*() {
    const { call } = yield* Effect.scoped(start(1000))
    return JSON.stringify([
      yield* Store.eventLog.latest(orgId, 1000),
      yield* Effect.orDie(call(orgId, "org.export", {}))
    ])
  })

/**
 * Runs a job in a process that crashes after 0, 1, 2, … units of work, and then resumes it. The result must equal the
 * result of a run without a crash.
 */
const runWithCrashes = (
  ask: (process: Process.ServerProcess, org: OpenedClass) => Effect.Effect<unknown, unknown>,
  check: Check
): Effect.Effect<void, never, Storage> =>
  Effect.scoped(Effect.gen(function*() {
    const clock = yield* SettableClock.make(origin)
    let died = 0
    while (died < maxUnits && (yield* Effect.withClock(runUntilCrash(died, clock, ask, check), clock))) died++
    assert.isAbove(died, 3, "the work was not done in chunks")
    assert.isBelow(died, maxUnits, "the work does not finish")
  })).pipe(Effect.provideService(ChunkSize, 2))

/** The maximum number of units of work to try, which is more than any job takes. */
const maxUnits = 30

/** Runs the job once and returns whether its process crashed. */
const runUntilCrash = (
  units: number,
  clock: SettableClock.SettableClock,
  ask: (process: Process.ServerProcess, org: OpenedClass) => Effect.Effect<unknown, unknown>,
  check: Check
): Effect.Effect<boolean, never, Storage | Scope.Scope> =>
  Effect.gen(function*() {
    const process = yield* start(2 * units)
    const org = yield* openClass(process)
    const crashingProcess = yield* crashAfter(start(2 * units + 1), units)
    const exit = yield* Effect.exit(ask(crashingProcess, org))
    const died = exit._tag === "Failure"
    if (yield* isUnfinished) {
      assert.isTrue(died, "the request returned before the work finished")
      // A repeated request resumes the job immediately. A worker resumes a job that has been idle for a while.
      if (units % 2 === 0) yield* Effect.orDie(ask(process, org))
      else {
        yield* clock.advance(60_000)
        const claims = yield* process.leftovers.claim(10)
        assert.strictEqual(claims.length, 1)
        assert.deepStrictEqual(yield* process.leftovers.claim(10), [], "two workers claimed the work")
        yield* Effect.forEach(claims, (row) => process.leftovers.resume(row, Effect.succeed(false)))
      }
      assert.isFalse(yield* isUnfinished, "the work is not finished")
    } else if (died) yield* Effect.orDie(ask(process, org))
    yield* check(org, yield* listEventTexts(org.orgId))
    return died
  })

const checkCancelled = (ids: ReadonlyArray<string>, all: ReadonlyArray<string>) => {
  const of = all.filter((event) => event.startsWith("booking.cancelled"))
  assert.deepStrictEqual(of.toSorted(), ids.map((id) => `booking.cancelled ${id}`).sort(), "told once of each")
}

export const partLaws = [
  law(
    "parts/offering",
    "completes an interrupted deletion, and emits its event once at the end",
    () =>
      runWithCrashes(
        ({ call }, { classId, orgId }) => call(orgId, "offerings.delete", { id: classId, cancel_bookings: true }),
        ({ bookingIds, classId, sessionIds }, all) =>
          Effect.sync(() => {
            checkCancelled(bookingIds, all)
            const sessions = all.filter((event) => event.startsWith("session.cancelled"))
            assert.deepStrictEqual(sessions.toSorted(), sessionIds.map((id) => `session.cancelled ${id}`).sort())
            assert.deepStrictEqual(all.filter((event) => event.startsWith("offering.deleted")), [all.at(-1)])
            assert.strictEqual(all.at(-1), `offering.deleted ${classId}`)
          })
      )
  ),

  law(
    "parts/session",
    "completes an interrupted cancellation, and emits its event once at the start",
    () =>
      runWithCrashes(
        ({ call }, { orgId, sessionIds }) => call(orgId, "sessions.cancel", { id: sessionIds[0] }),
        ({ bookingIds, sessionIds }, all) =>
          Effect.sync(() => {
            const inside = bookingIds.filter((_, at) => at % 2 === 0)
            checkCancelled(inside, all)
            const first = all.findIndex((event) => event.startsWith("booking.cancelled"))
            assert.strictEqual(all[first - 1], `session.cancelled ${sessionIds[0]}`)
            assert.strictEqual(all.filter((event) => event.startsWith("session.cancelled")).length, 1)
          })
      )
  ),

  law(
    "parts/customer",
    "completes an interrupted erasure, and emits its event once at the end",
    () =>
      runWithCrashes(
        ({ call }, { guestId, orgId }) => call(orgId, "customers.delete", { id: guestId }),
        ({ guestId, orgId }, all) =>
          Effect.gen(function*() {
            const words = yield* readEverything(orgId)
            assert.notInclude(words, canary)
            assert.deepStrictEqual(all.filter((event) => event.startsWith("customer.deleted")), [all.at(-1)])
            assert.strictEqual(all.at(-1), `customer.deleted ${guestId}`)
          })
      )
  ),

  law(
    "parts/question",
    "completes an interrupted conversation deletion, and leaves no personal data",
    () =>
      runWithCrashes(
        ({ call }, { orgId, questionId }) => call(orgId, "conversations.delete", { id: questionId }),
        ({ orgId }) =>
          Effect.gen(function*() {
            const words = yield* readEverything(orgId)
            assert.notInclude(words, stranger)
            assert.include(words, canary)
          })
      )
  ),

  law(
    "parts/twice",
    "runs each chunk and emits each event once when two processes resume the same jobs",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const clock = yield* SettableClock.make(origin)
        yield* Effect.withClock(
          Effect.gen(function*() {
            const one = yield* start(2000)
            const org = yield* openClass(one)
            const { bookingIds, classId, guestId, orgId } = org
            for (
              const [name, input] of [
                ["customers.delete", { id: guestId }],
                ["offerings.delete", { id: classId, cancel_bookings: true }]
              ] as const
            ) {
              // The process crashes after the first transaction.
              yield* Effect.exit((yield* crashAfter(start(2001), 1)).call(orgId, name, input))
            }
            const rows = yield* Store.resumableJobs.untouchedSince(Instant.max, 10)
            assert.strictEqual(rows.length, 2)
            const resumers = [one, yield* start(2002)]
            yield* Effect.all(
              resumers.flatMap(({ leftovers }) => rows.map((row) => leftovers.resume(row, Effect.succeed(false)))),
              { concurrency: "unbounded" }
            )
            assert.isFalse(yield* isUnfinished)
            const all = yield* listEventTexts(orgId)
            checkCancelled(bookingIds, all)
            for (const event of [`offering.deleted ${classId}`, `customer.deleted ${guestId}`]) {
              assert.strictEqual(all.filter((text) => text === event).length, 1, event)
            }
          }),
          clock
        )
      })).pipe(Effect.provideService(ChunkSize, 2))
  )
]
