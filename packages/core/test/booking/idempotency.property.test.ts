import type { CreateBookingRequest } from "@trailbook/core/booking/createBooking"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { script, wish } from "../generators/script.ts"
import { world } from "../generators/world.ts"
import { type Answer, sell } from "../world/change.ts"
import { orderOf, playAll } from "../world/play.ts"

const [key, otherKey] = ["key", "other key"]

const scenario = FastCheck.record({ world, wish, other: wish, history: script(10) })
  .map(({ history, other, wish, world }) => {
    const now = playAll(world, history).at(-1)?.after ?? world
    const under = (key: string, order: CreateBookingRequest): CreateBookingRequest => ({
      ...order,
      idempotency: { ...order.idempotency, key }
    })
    return {
      world: now,
      order: under(key, orderOf(now, { ...wish, quantity: 1 }, 0)),
      other: under(key, { ...orderOf(now, other, 1), orgId: orderOf(now, wish, 0).orgId }),
      elsewhere: orderOf(now, { ...wish, org: 1 - wish.org }, 0)
    }
  })

const code = (answer: Answer | undefined): string | undefined =>
  answer === undefined || Either.isRight(answer) ? undefined : answer.left.code

const idOf = (answer: Answer | undefined): string | undefined =>
  answer === undefined || Either.isLeft(answer) ? undefined : answer.right.booking.id

describe("an idempotency key", () => {
  it("creates only one booking, within and across batches", () => {
    let bookedCount = 0
    FastCheck.assert(
      FastCheck.property(
        scenario,
        FastCheck.array(FastCheck.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
        ({ order, world }, sizes) => {
          let state = world
          const answers = sizes.flatMap((size) => {
            const sale = sell(state, Array.from({ length: size }, () => order))
            state = sale.world
            return sale.answers
          })
          const [first] = answers
          if (first === undefined || Either.isLeft(first)) {
            // A refusal does not use up the key, so the same request is refused again for the same reason.
            expect(new Set(answers.map(code)).size).toBe(1)
            expect(state.bookings).toEqual(world.bookings)
            expect(state.events).toEqual(world.events)
            return
          }
          bookedCount++
          expect(new Set(answers.map(idOf))).toEqual(new Set([idOf(first)]))
          expect(state.bookings).toHaveLength(world.bookings.length + 1)
          const newEvents = state.events.slice(world.events.length).filter(({ type }) => type.startsWith("booking."))
          expect(newEvents).toHaveLength(1)
          const { booking } = first.right
          const kinds = state.tasks.slice(world.tasks.length).map(({ kind }) => kind)
          const isDue = booking.status === "held" && booking.paymentDue
          expect(kinds).toEqual(
            booking.status === "held" ? isDue ? ["checkout.open", "checkout.close"] : [] : ["mail.confirmed"]
          )
          expect(state.payments.filter(({ bookingId }) => bookingId === booking.id)).toHaveLength(isDue ? 1 : 0)
        }
      ),
      { numRuns: 200 }
    )
    expect(bookedCount).toBeGreaterThan(40)
  })

  it("rejects a different request with the same key", () => {
    FastCheck.assert(
      FastCheck.property(scenario, FastCheck.boolean(), ({ order, other, world }, together) => {
        FastCheck.pre(order.idempotency.fingerprint !== other.idempotency.fingerprint)
        const first = sell(world, together ? [order, other, order] : [order])
        FastCheck.pre(Either.isRight(first.answers[0]!))
        const second = together ? first : sell(first.world, [other, other])
        const answers = together ? [first.answers[1]] : second.answers
        expect(answers.map(code)).toEqual(answers.map(() => "idempotency_conflict"))
        if (together) expect(idOf(first.answers[2])).toBe(idOf(first.answers[0]))
        expect(second.world.bookings).toHaveLength(world.bookings.length + 1)
      }),
      { numRuns: runs(100, 25) }
    )
  })

  it("can be reused after its request is rejected", () => {
    FastCheck.assert(
      FastCheck.property(scenario, ({ order, world }) => {
        const tooMany = {
          ...order,
          quantity: 10_000,
          idempotency: { ...order.idempotency, fingerprint: "ten thousand" }
        }
        const expected = sell(world, [order]).answers.map((answer) => code(answer) ?? "sold")
        const [rejection, ...after] = sell(world, [tooMany, order]).answers
        expect(code(rejection)).toBeDefined()
        expect(after.map((answer) => code(answer) ?? "sold")).toEqual(expected)
      }),
      { numRuns: runs(100, 25) }
    )
  })

  it("returns the booking in its current state", () => {
    FastCheck.assert(
      FastCheck.property(scenario, ({ order, world }) => {
        const sale = sell(world, [order])
        const [answer] = sale.answers
        FastCheck.pre(answer !== undefined && Either.isRight(answer))
        const { id } = answer.right.booking
        const cancelledBookings = sale.world.bookings.map((booking) =>
          booking.id === id
            ? { ...booking, status: "cancelled" as const, cancelledAt: world.now, keepCents: 0 }
            : booking
        )
        const [again] = sell({ ...sale.world, bookings: cancelledBookings }, [order]).answers
        expect(Either.map(again!, ({ booking }) => [booking.id, booking.status])).toEqual(
          Either.right([id, "cancelled"])
        )
      }),
      { numRuns: runs(100, 25) }
    )
  })

  it("has no effect on another outfitter's bookings", () => {
    FastCheck.assert(
      FastCheck.property(scenario, ({ elsewhere, order, world }) => {
        const there = (key: string): CreateBookingRequest => ({
          ...elsewhere,
          idempotency: { ...elsewhere.idempotency, key }
        })
        const answers = (orders: ReadonlyArray<CreateBookingRequest>) =>
          sell(world, orders).answers.map((answer) => code(answer) ?? "sold")
        expect(answers([order, there(key)])).toEqual(answers([order, there(otherKey)]))
      }),
      { numRuns: runs(100, 25) }
    )
  })
})
