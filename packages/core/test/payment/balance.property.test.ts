/**
 * Tests that money always balances. No matter which calls are lost, the provider must end up with exactly the total
 * price of two kinds of bookings: those that are paid and active, and those that were canceled after their start.
 */
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { allGuards, type Guards, MoneyWorld, type Way } from "./MoneyWorld.ts"

const way: FastCheck.Arbitrary<Way> = FastCheck.constantFrom("answered", "answered", "answered", "lost", "crash")
const at = FastCheck.nat(2)

type Step = (world: MoneyWorld) => void

const weighted = (weight: number, arbitrary: FastCheck.Arbitrary<Step>) => ({ weight, arbitrary })

const step = FastCheck.oneof(
  weighted(
    1,
    FastCheck.tuple(FastCheck.constantFrom(20, 90, 5000), way).map(([minutes, way]): Step => (world) => {
      if (world.bookings.length < 3) world.book(minutes, way)
    })
  ),
  weighted(
    3,
    FastCheck.tuple(at, way, FastCheck.boolean()).map(([at, way, isOther]): Step => (world) =>
      world.order(at, way, isOther)
    )
  ),
  weighted(
    3,
    FastCheck.tuple(FastCheck.nat(3), FastCheck.nat(2), FastCheck.boolean()).map(
      ([at, notices, isFree]): Step => (world) => world.pay(at, notices, isFree)
    )
  ),
  weighted(
    1,
    FastCheck.tuple(at, FastCheck.boolean()).map(([at, placeIsFree]): Step => (world) =>
      world.change(at, { _tag: "Confirm", now: world.now, placeIsFree })
    )
  ),
  weighted(
    1,
    FastCheck.tuple(at, FastCheck.integer({ min: -60, max: 600 })).map(([at, minutes]): Step => (world) => {
      const startsAt = Instant.addMinutes(world.now, minutes)
      const to = { startsAt, endsAt: Instant.addMinutes(startsAt, 60), sessionId: null }
      world.change(at, { _tag: "Move", now: world.now, to, target: Either.void })
    })
  ),
  weighted(
    1,
    FastCheck.tuple(at, FastCheck.constantFrom("all" as const, "full" as const)).map(([at, refund]): Step => (world) =>
      world.change(at, { _tag: "Cancel", now: world.now, refund })
    )
  ),
  weighted(1, way.map((way): Step => (world) => world.work(way))),
  weighted(
    1,
    FastCheck.constantFrom(1, 10, 25, 45, 200).map((minutes): Step => (world) => {
      world.now = Instant.addMinutes(world.now, minutes)
    })
  )
)

const script = FastCheck.tuple(way, FastCheck.array(step, { minLength: 4, maxLength: 30, size: "max" }))

type Script = typeof script extends FastCheck.Arbitrary<infer A> ? A : never

const play = ([first, steps]: Script, guards: Guards): MoneyWorld => {
  const world = new MoneyWorld(guards)
  world.book(90, first)
  for (const one of steps) one(world)
  world.finish()
  return world
}

/** The expected balance for a booking, derived from the booking alone. */
const due = ({ bookings, kept }: MoneyWorld): ReadonlyArray<number> =>
  bookings.map(({ id, paymentIntentId, status, totalCents }) =>
    (status === "confirmed" && paymentIntentId !== null) || kept.has(id) ? totalCents : 0
  )

const balances = (world: MoneyWorld): ReadonlyArray<number> =>
  world.bookings.map(({ id }) => world.provider.balance(id))

const numRuns = runs(2000, 300)

describe("captured minus refunded", () => {
  it("equals the price of each booking that is paid or kept", () => {
    FastCheck.assert(
      FastCheck.property(script, (story) => {
        const world = play(story, allGuards)
        expect(balances(world)).toEqual(due(world))
      }),
      { numRuns }
    )
  })

  const brokenWithout = (guards: Partial<Guards>) => () => {
    const result = FastCheck.check(
      FastCheck.property(script, (story) => {
        const world = play(story, { ...allGuards, ...guards })
        expect(balances(world)).toEqual(due(world))
      }),
      { numRuns: 2000, seed: 15 }
    )
    expect(result.failed).toBe(true)
  }

  it("is wrong if missed webhooks are ignored", brokenWithout({ sweeps: false }))
  it("is wrong if duplicate payments are ignored", brokenWithout({ returnsSecond: false }))
  it("is wrong if idempotency keys are omitted", brokenWithout({ usesKeys: false }))
})
