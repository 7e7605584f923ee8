import { bookingView } from "@trailbook/core/booking/BookingView"
import type { Order } from "@trailbook/core/booking/create"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { script, wish } from "../generators/script.ts"
import { world } from "../generators/world.ts"
import { type Answer, sell } from "../world/change.ts"
import { orderOf, playAll } from "../world/play.ts"
import type { World } from "../world/World.ts"

/** Some history, and wishes on top of it, with many that are told twice or under another's key. */
const rush = FastCheck.record({
  world,
  history: script(15),
  wishes: FastCheck.array(FastCheck.tuple(wish, FastCheck.option(FastCheck.nat(10), { freq: 1 })), {
    minLength: 1,
    maxLength: 12,
    size: "max"
  }),
  cuts: FastCheck.array(FastCheck.nat(12), { maxLength: 6 })
}).map(({ cuts, history, wishes, world }) => {
  const now = playAll(world, history).at(-1)?.after ?? world
  const orders = wishes.map(([wish], at) => orderOf(now, wish, at))
  const told = orders.map((order, at): Order => {
    const again = wishes[at]?.[1] ?? null
    return again === null ? order : orders[again % orders.length] ?? order
  })
  return { world: now, orders: told, cuts: [...new Set([0, ...cuts, told.length])].sort((a, b) => a - b) }
})

const answered = (answer: Answer): unknown =>
  Either.match(answer, {
    onLeft: ({ code, kind, message }) => ({ code, kind, message }),
    onRight: bookingView
  })

const inBatches = (world: World, orders: ReadonlyArray<Order>, cuts: ReadonlyArray<number>) => {
  let state = world
  const answers = cuts.slice(1).flatMap((cut, at) => {
    const sold = sell(state, orders.slice(cuts[at], cut))
    state = sold.world
    return sold.answers
  })
  return { world: state, answers: answers.map(answered) }
}

const oneByOne = (world: World, orders: ReadonlyArray<Order>) =>
  inBatches(world, orders, Array.from({ length: orders.length + 1 }, (_, at) => at))

describe("decideAll", () => {
  it("a batch answers, writes and tells what one order after the other would", () => {
    FastCheck.assert(
      FastCheck.property(rush, ({ cuts, orders, world }) => {
        const single = oneByOne(world, orders)
        expect(inBatches(world, orders, [0, orders.length])).toEqual(single)
        expect(inBatches(world, orders, cuts)).toEqual(single)
      }),
      { numRuns: 200 }
    )
  })

  it("a repeat shows the guest as an order before it in the batch left them", () => {
    FastCheck.assert(
      FastCheck.property(world, wish, (world, wish) => {
        const rental = orderOf(world, { ...wish, offering: 2, quantity: 1, periods: 1, astray: undefined }, 0)
        const named = (name: string, key: string): Order => ({
          ...rental,
          customerId: undefined,
          contact: { email: "ann@a.co", name },
          idempotency: { key, fingerprint: name }
        })
        const first = sell(world, [named("Ann", "1")])
        FastCheck.pre(Either.isRight(first.answers[0]!))
        const [beth, ann] = sell(first.world, [named("Beth", "2"), named("Ann", "1")]).answers
        FastCheck.pre(Either.isRight(beth!))
        expect(Either.getOrThrow(ann!).customer.name).toBe("Beth")
      }),
      { numRuns: 50 }
    )
  })

  it("every order has its answer, in order: a booking of what it asked for, or a refusal", () => {
    FastCheck.assert(
      FastCheck.property(rush, ({ orders, world }) => {
        const { answers } = sell(world, orders)
        expect(answers).toHaveLength(orders.length)
        for (const [at, { idempotency, offeringId, orgId, quantity }] of orders.entries()) {
          const answer = answers[at]!
          if (Either.isRight(answer)) {
            expect(answer.right.booking).toMatchObject({ idempotency, offeringId, orgId, quantity })
          }
        }
      }),
      { numRuns: 100 }
    )
  })

  it("a refused order leaves no trace: without it the others fare the same", () => {
    FastCheck.assert(
      FastCheck.property(rush, ({ orders, world }) => {
        const all = sell(world, orders)
        const kept = orders.filter((_, at) => Either.isRight(all.answers[at]!))
        const without = sell(world, kept)
        expect(without.answers.map(Either.isRight)).toEqual(kept.map(() => true))
        // Draws differ, so rows are told apart by what was asked for.
        const rows = ({ bookings }: World) =>
          bookings.map(({ endsAt, idempotency, quantity, sessionId, startsAt, status }) => ({
            endsAt,
            idempotency,
            quantity,
            sessionId,
            startsAt,
            status
          }))
        expect(rows(without.world)).toEqual(rows(all.world))
        expect(without.world.events.map(({ type }) => type)).toEqual(all.world.events.map(({ type }) => type))
        // Sold out, they are refused once more.
        const refused = orders.filter((_, at) => Either.isLeft(all.answers[at]!))
        const again = sell(all.world, refused)
        expect(again.answers.map(Either.isLeft)).toEqual(refused.map(() => true))
        expect(again.world).toEqual({ ...all.world, drawn: again.world.drawn })
      }),
      { numRuns: 200 }
    )
  })
})
