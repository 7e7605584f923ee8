import * as PostgresClock from "@trailbook/postgres/PostgresClock"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { assert, it } from "vitest"

/** The time that passes before a transaction, and the network latency in each direction. */
const unit = FastCheck.record({
  passes: FastCheck.oneof(FastCheck.integer({ min: 0, max: 10_000 }), FastCheck.integer({ min: 0, max: 600_000 })),
  there: FastCheck.integer({ min: 0, max: 400 }).map((tenths) => tenths / 10),
  back: FastCheck.integer({ min: 0, max: 400 }).map((tenths) => tenths / 10),
  /** How far the database's clock jumps during the transaction, in milliseconds. */
  set: FastCheck.oneof(
    { arbitrary: FastCheck.constant(0), weight: 8 },
    { arbitrary: FastCheck.integer({ min: -3_600_000, max: 3_600_000 }), weight: 1 }
  ),
  lost: FastCheck.integer({ min: 0, max: 9 }).map((one) => one === 0)
})

/** Creates a database and a process. Their monotonic clocks drift apart by `ppm` parts per million. */
const world = (ppm: number) => {
  let here = 5000
  let ahead = Date.UTC(2027, 4, 1)
  let next = { there: 1, back: 1, set: 0, lost: false }
  const pass = (ms: number) => {
    here += ms
    ahead += ms * ppm / 1e6
  }
  let queryCount = 0
  return {
    monotonic: () => here,
    now: () => here + ahead,
    pass,
    queryCount: () => queryCount,
    answers: (answer: typeof next) => {
      next = answer
      ahead += answer.set
    },
    connection: {
      run: <Row>() =>
        Effect.suspend(() => {
          queryCount++
          if (next.lost) return Effect.fail(new Error("gone"))
          pass(next.there)
          const now = here + ahead
          pass(next.back)
          return Effect.succeed([{ now } as Row])
        })
    }
  }
}

it("PostgresClock deviates by at most half a round trip plus local drift", () => {
  let queryCount = 0
  FastCheck.assert(
    FastCheck.property(
      FastCheck.array(unit, { minLength: 1, maxLength: 25, size: "max" }),
      FastCheck.integer({ min: -80, max: 80 }),
      (units, ppm) => {
        const there = world(ppm)
        const { clock, tick } = Effect.runSync(
          PostgresClock.make(there.connection, PostgresClock.systemClock, there.monotonic)
        )
        let heardAt = there.monotonic()
        for (const { passes, ...answer } of units) {
          there.pass(passes)
          const before = there.queryCount()
          there.answers(answer)
          Effect.runSync(tick(there.connection))
          const wasAsked = there.queryCount() > before
          // A change to the database's clock can be detected only from a response, so the test undoes the change if no
          // response arrives.
          if (!wasAsked || answer.lost) there.answers({ ...answer, set: -answer.set })
          else heardAt = there.monotonic()
          const error = Math.abs(clock.unsafeCurrentTimeMillis() - there.now())
          const worst = 40 + (there.monotonic() - heardAt + 60_000) * 0.0005 + 1
          assert.isBelow(error, worst)
        }
        queryCount += there.queryCount()
      }
    ),
    { numRuns: 500 }
  )
  assert.isAbove(queryCount, 1000)
})

it("PostgresClock stays accurate to milliseconds when later samples are slow", () => {
  const there = world(20)
  there.answers({ there: 0.1, back: 0.1, set: 0, lost: false })
  const { clock, tick } = Effect.runSync(
    PostgresClock.make(there.connection, PostgresClock.systemClock, there.monotonic)
  )
  // A busy process reads responses late, so a slow sample is less accurate than earlier ones.
  there.answers({ there: 0.1, back: 250, set: 0, lost: false })
  for (let queryCount = 0; queryCount < 10; queryCount++) {
    there.pass(5000)
    Effect.runSync(tick(there.connection))
    assert.isBelow(Math.abs(clock.unsafeCurrentTimeMillis() - there.now()), 2.5)
  }
})

it("PostgresClock queries the database at most every 3 seconds", () => {
  const there = world(0)
  const { clock, tick } = Effect.runSync(
    PostgresClock.make(there.connection, PostgresClock.systemClock, there.monotonic)
  )
  for (let unit = 0; unit < 100; unit++) {
    there.pass(100)
    Effect.runSync(tick(there.connection))
  }
  assert.strictEqual(there.queryCount(), 1 + 3)
  there.answers({ there: 0, back: 0, set: 0, lost: true })
  there.pass(60_000)
  Effect.runSync(tick(there.connection))
  assert.isBelow(Math.abs(clock.unsafeCurrentTimeMillis() - there.now()), 2)
})

it("PostgresClock replaces the default clock, but not a clock that the caller provides", async () => {
  const there = world(0)
  const clock = Effect.runSync(PostgresClock.make(there.connection, PostgresClock.systemClock, there.monotonic))
  const clockInUse = Effect.scoped(Effect.zipRight(PostgresClock.installClock(clock), Effect.clock))
  const ownClock = { ...clock.clock, unsafeCurrentTimeMillis: () => 42 } satisfies Clock.Clock
  assert.strictEqual(await Effect.runPromise(clockInUse), clock.clock)
  assert.strictEqual(await Effect.runPromise(Effect.withClock(clockInUse, ownClock)), ownClock)
})
