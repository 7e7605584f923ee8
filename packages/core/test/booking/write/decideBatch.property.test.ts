import { type Booking, isLive } from "@trailbook/core/booking/Booking"
import { type BookingRecord, bookingView } from "@trailbook/core/booking/BookingView"
import type { CreateBookingRequest } from "@trailbook/core/booking/createBooking"
import type {
  BookingRequest,
  BookingRequestRefusal,
  UpdateBookingRequest
} from "@trailbook/core/booking/write/BookingRequest"
import { getDecisionTime } from "@trailbook/core/capacity/claims"
import { decideDeskPayment } from "@trailbook/core/payment/ledger/deskEntry"
import type { Refusal } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runs } from "../../../../../test/runs.ts"
import { script, wish } from "../../generators/script.ts"
import { world } from "../../generators/world.ts"
import { type Answer, change as changeBooking, decide, sell } from "../../world/change.ts"
import { destinationOf, orderOf, playAll } from "../../world/play.ts"
import { getRow, put, type World } from "../../world/World.ts"

/** A history followed by booking requests, with many duplicates and reused keys. */
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
  const batchOrders = orders.map((order, at): CreateBookingRequest => {
    const again = wishes[at]?.[1] ?? null
    return again === null ? order : orders[again % orders.length] ?? order
  })
  return {
    world: now,
    orders: batchOrders,
    cuts: [...new Set([0, ...cuts, batchOrders.length])].sort((a, b) => a - b)
  }
})

const answerText = (answer: Answer): unknown =>
  Either.match(answer, {
    onLeft: ({ code, kind, message }) => ({ code, kind, message }),
    onRight: bookingView
  })

const inBatches = (world: World, orders: ReadonlyArray<CreateBookingRequest>, cuts: ReadonlyArray<number>) => {
  let state = world
  const answers = cuts.slice(1).flatMap((cut, at) => {
    const sale = sell(state, orders.slice(cuts[at], cut))
    state = sale.world
    return sale.answers
  })
  return { world: state, answers: answers.map(answerText) }
}

const oneByOne = (world: World, orders: ReadonlyArray<CreateBookingRequest>) =>
  inBatches(world, orders, Array.from({ length: orders.length + 1 }, (_, at) => at))

describe("decideBatch", () => {
  it("returns the same results for a batch of orders as for single orders", () => {
    FastCheck.assert(
      FastCheck.property(rush, ({ cuts, orders, world }) => {
        const single = oneByOne(world, orders)
        expect(inBatches(world, orders, [0, orders.length])).toEqual(single)
        expect(inBatches(world, orders, cuts)).toEqual(single)
      }),
      { numRuns: runs(200, 50) }
    )
  })

  it("returns a repeated booking with the guest's latest data", () => {
    FastCheck.assert(
      FastCheck.property(world, wish, (world, wish) => {
        const rental = orderOf(world, { ...wish, offering: 2, quantity: 1, periods: 1, astray: undefined }, 0)
        const orderFor = (name: string, key: string): CreateBookingRequest => ({
          ...rental,
          customerId: undefined,
          contact: { email: "ann@a.co", name },
          idempotency: { key, fingerprint: name }
        })
        const first = sell(world, [orderFor("Ann", "1")])
        FastCheck.pre(Either.isRight(first.answers[0]!))
        const [beth, ann] = sell(first.world, [orderFor("Beth", "2"), orderFor("Ann", "1")]).answers
        FastCheck.pre(Either.isRight(beth!))
        expect(Either.getOrThrow(ann!).customer.name).toBe("Beth")
      }),
      { numRuns: runs(50, 20) }
    )
  })

  it("returns one booking or error per order, in input order", () => {
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
      { numRuns: runs(100, 25) }
    )
  })

  it("does not let a rejected order affect the other orders", () => {
    FastCheck.assert(
      FastCheck.property(rush, ({ orders, world }) => {
        const all = sell(world, orders)
        const keptOrders = orders.filter((_, at) => Either.isRight(all.answers[at]!))
        const without = sell(world, keptOrders)
        expect(without.answers.map(Either.isRight)).toEqual(keptOrders.map(() => true))
        // IDs are random, so rows are identified by their request.
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
        // Refused requests are refused again.
        const refusedOrders = orders.filter((_, at) => Either.isLeft(all.answers[at]!))
        const again = sell(all.world, refusedOrders)
        expect(again.answers.map(Either.isLeft)).toEqual(refusedOrders.map(() => true))
        expect(again.world).toEqual({ ...all.world, drawn: again.world.drawn })
      }),
      { numRuns: runs(200, 50) }
    )
  })

  it("returns the same results for a mixed batch as for single requests", () => {
    const counts = new Map<string, number>()
    const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
    FastCheck.assert(
      FastCheck.property(mixed, ({ requests, world }) => {
        const batch = inBatch(world, requests, count)
        const single = inTurn(world, batch.order)
        expect(batch.answers).toEqual(single.answers)
        expect(unjudged(batch.world)).toEqual(unjudged(single.world))
        // An expired hold that the batch itself confirms or cancels also counts as ignored, so these times can be
        // later.
        for (const [at, place] of [...batch.world.offerings, ...batch.world.sessions].entries()) {
          const { judgedAt } = [...single.world.offerings, ...single.world.sessions][at]!
          expect(place.judgedAt).toBeGreaterThanOrEqual(judgedAt)
          expect(place.judgedAt).toBeLessThanOrEqual(Math.max(judgedAt, world.now, ...judgedAts(world)))
        }
      }),
      { numRuns: 600 }
    )
    for (const tag of ["Confirm", "Pay", "Move", "Record", "Cancel", "Restore", "order"]) {
      expect(counts.get(`${tag} done`), tag).toBeGreaterThan(50)
      if (tag !== "Pay" && tag !== "Cancel") expect(counts.get(`${tag} refused`), tag).toBeGreaterThan(50)
    }
    // Almost all requests are decided without a retry.
    expect(counts.get("again") ?? 0).toBeLessThan((counts.get("Move done") ?? 0) / 2)
  })

  it("retries the confirmation of a hold that expired after the lookup", () => {
    let expiredCount = 0
    FastCheck.assert(
      FastCheck.property(world, wish, (world, wish) => {
        const order = { ...orderOf(world, { ...wish, astray: undefined }, 0), holdMinutes: 5 }
        const { answers: [answer], world: afterSale } = sell(world, [order])
        if (answer === undefined || Either.isLeft(answer) || answer.right.booking.status !== "held") return
        const { booking } = answer.right
        const update: UpdateBookingRequest = { _tag: "Confirm", key: { orgId: booking.orgId, id: booking.id } }
        const late = { ...afterSale, now: Instant.addMinutes(booking.expiresAt, 1) }
        const { answers: [first] } = decide(late, [{ update, location: booking, locksClass: false }])
        expect(first).toMatchObject({ left: { _tag: "StaleRead" } })
        const { answers: [second] } = decide(late, [{ update, location: booking, locksClass: true }])
        expect(second).not.toMatchObject({ left: { _tag: "StaleRead" } })
        expiredCount++
      }),
      { numRuns: runs(300, 100) }
    )
    expect(expiredCount).toBeGreaterThan(10)
  })

  it("sells seats that an earlier cancellation in the batch freed", () => {
    FastCheck.assert(
      FastCheck.property(world, wish, (initial, baseWish) => {
        const world = { ...initial, offerings: initial.offerings.map((offering) => ({ ...offering, capacity: 1 })) }
        const ann = { email: "ann@a.co", name: undefined, phone: undefined }
        const wish = { ...baseWish, offering: 1, quantity: 1, astray: undefined, guest: ann }
        const order = (key: string): CreateBookingRequest => ({
          ...orderOf(world, wish, 0),
          idempotency: { key, fingerprint: key }
        })
        const { answers: [first], world: full } = sell(world, [order("1")])
        FastCheck.pre(first !== undefined && Either.isRight(first))
        expect(sell(full, [order("2")]).answers[0]).toMatchObject({ left: { code: "slot_full" } })
        const { booking } = Either.getOrThrow(first)
        const update: UpdateBookingRequest = { _tag: "Cancel", key: { orgId: booking.orgId, id: booking.id } }
        const { answers } = decide(full, [{ update, location: booking, locksClass: false }, { create: order("2") }])
        expect(answers.map(Either.isRight)).toEqual([true, true])
      }),
      { numRuns: runs(50, 20) }
    )
  })

  it("limits the seats of unverified visitors per network and org", () => {
    FastCheck.assert(
      FastCheck.property(world, wish, (initial, baseWish) => {
        const large = { capacity: 100, maxPerBooking: 12 }
        const world: World = {
          ...initial,
          offerings: initial.offerings.map((offering) => ({ ...offering, ...large })),
          sessions: initial.sessions.map((session) => ({ ...session, startsAt: initial.now, capacity: null }))
        }
        const order = (org: number, quantity: number): BookingRequest => {
          const guest = { email: `${org}-${quantity}@a.co`, name: "Ann", phone: undefined }
          const create = orderOf(
            world,
            { ...baseWish, org, offering: 0, quantity, guest, key: undefined },
            org + quantity
          )
          return { create: { ...create, isWalkIn: true, visitor: { network: "one", language: "en" } } }
        }
        const { answers } = decide(world, [order(0, 6), order(1, 6), order(0, 1), order(1, 1)])
        expect(answers.slice(0, 2).map(Either.isRight)).toEqual([true, true])
        for (const answer of answers.slice(2)) expect(answer).toMatchObject({ left: { code: "rate_limited" } })
      }),
      { numRuns: 20 }
    )
  })
})

/** A history followed by booking requests and updates, many of which target the same few bookings. */
const mixed = FastCheck.record({
  world,
  history: script(12),
  skew: FastCheck.oneof({ weight: 4, arbitrary: FastCheck.constant(0) }, { weight: 1, arbitrary: FastCheck.nat(40) }),
  wishes: FastCheck.array(
    FastCheck.oneof(
      { weight: 2, arbitrary: wish.map((wish) => ({ wish })) },
      {
        weight: 5,
        arbitrary: FastCheck.record({
          tag: FastCheck.constantFrom(
            "Confirm" as const,
            "Confirm" as const,
            "Confirm" as const,
            "Pay" as const,
            "Move" as const,
            "Move" as const,
            "Record" as const,
            "Cancel" as const,
            "Restore" as const,
            "Restore" as const
          ),
          booking: FastCheck.nat(5),
          start: FastCheck.nat(9)
        })
      }
    ),
    { minLength: 1, maxLength: 12, size: "max" }
  )
}).map(({ history, skew, wishes, world: initial }) => {
  const latest = playAll(initial, history).at(-1)?.after ?? initial
  // The clock is behind the times recorded for the places.
  const world: World = { ...latest, now: Instant.addMinutes(latest.now, -skew) }
  const requests = wishes.flatMap((one, at): ReadonlyArray<NumberedCommand> => {
    if ("wish" in one) return [{ n: world.drawn + at, create: orderOf(world, one.wish, at) }]
    const booking = world.bookings.at(-1 - (one.booking % Math.max(1, world.bookings.length)))
    if (booking === undefined) return []
    const key = { orgId: booking.orgId, id: booking.id }
    const to = destinationOf(world, booking, one.start)
    const update: UpdateBookingRequest = one.tag === "Pay"
      ? { _tag: "Pay", key, paymentIntentId: `pi_${one.start % 2}` }
      : one.tag === "Move"
      ? {
        _tag: "Move",
        key,
        to: "session" in to
          ? { sessionId: to.session.id, startsAt: undefined }
          : { sessionId: undefined, startsAt: to.startsAt }
      }
      : one.tag === "Record"
      ? {
        _tag: "Record",
        key,
        money: { ...cash, id: `e-${at}`, cents: 500 * (one.start + 1) },
        allowsOverpayment: at % 3 === 0
      }
      : { _tag: one.tag, key }
    return [{ n: world.drawn + at, update }]
  })
  return { world: { ...world, drawn: world.drawn + wishes.length }, requests }
})

const cash = { method: "cash", note: "", recordedBy: { kind: "key", id: null, name: "" } } as const

type NumberedCommand =
  & { readonly n: number }
  & ({ readonly create: CreateBookingRequest } | { readonly update: UpdateBookingRequest })

const lookUp = (world: World, command: NumberedCommand, isRetry: boolean): BookingRequest => {
  if ("create" in command) return command
  const { orgId, id } = command.update.key
  const booking = getRow(world.bookings, orgId, id)
  return { update: command.update, location: booking, locksClass: isRetry || !isLive(booking, world.now) }
}

/** Runs all requests in one batch. Conflicting requests are retried after the others. */
const inBatch = (world: World, commands: ReadonlyArray<NumberedCommand>, count: (what: string) => void) => {
  const order: Array<NumberedCommand> = []
  const answers: Array<unknown> = []
  let state = world
  let remainingCommands = commands
  for (let tries = 0; remainingCommands.length > 0; tries++) {
    expect(tries).toBeLessThan(6)
    const { answers: batchAnswers, world: after } = decide(
      state,
      remainingCommands.map((one) => lookUp(state, one, tries > 0)),
      remainingCommands.map(({ n }) => n)
    )
    const retries: Array<NumberedCommand> = []
    for (const [at, one] of remainingCommands.entries()) {
      const answer = batchAnswers[at]!
      if (Either.isLeft(answer) && answer.left._tag === "StaleRead") {
        retries.push(one)
        count("again")
        continue
      }
      count(`${"create" in one ? "order" : one.update._tag} ${Either.isRight(answer) ? "done" : "refused"}`)
      order.push(one)
      answers.push(resultText(answer))
    }
    state = { ...after, drawn: world.drawn }
    remainingCommands = retries
  }
  return { order, answers, world: state }
}

const resultText = <E extends BookingRequestRefusal>(answer: Either.Either<BookingRecord, E | Refusal>): unknown =>
  Either.match(answer, {
    onLeft: (left) => left._tag === "Refusal" ? { code: left.code, message: left.message } : left._tag,
    onRight: bookingView
  })

/**
 * Runs requests sequentially: each create as a single request, and each update by the rules in the test's own world.
 */
const inTurn = (world: World, commands: ReadonlyArray<NumberedCommand>) => {
  let state = world
  const answers = commands.map((one) => {
    const before = { ...state, drawn: one.n }
    if ("update" in one) {
      const { answer, world: after } = applyUpdate(before, one.update)
      state = { ...after, drawn: world.drawn }
      return resultText(answer)
    }
    const { answers: [answer], world: after } = sell(before, [one.create])
    state = { ...after, drawn: world.drawn }
    return resultText(answer!)
  })
  return { answers, world: state }
}

const applyUpdate = (world: World, { key, ...change }: UpdateBookingRequest) => {
  const booking = getRow(world.bookings, key.orgId, key.id)
  if (change._tag === "Record") return recordPayment(world, booking, { key, ...change })
  if (change._tag === "Change" || change._tag === "Refund") throw new Error("Other tests change bookings")
  if (change._tag !== "Move") return changeBooking(world, booking, change)
  const { sessionId, startsAt } = change.to
  return changeBooking(world, booking, {
    _tag: "Move",
    to: sessionId === undefined
      ? { startsAt: startsAt ?? booking.startsAt }
      : { session: getRow(world.sessions, key.orgId, sessionId) }
  })
}

/** Confirms the booking and records the payment. If the payment is refused, the hold is not confirmed. */
const recordPayment = (
  world: World,
  booking: Booking,
  { allowsOverpayment, money }: Extract<UpdateBookingRequest, { readonly _tag: "Record" }>
): { readonly world: World; readonly answer: Answer } => {
  const confirmation = changeBooking(world, booking, { _tag: "Confirm" })
  if (Either.isLeft(confirmation.answer)) return confirmation
  const record = confirmation.answer.right
  const session = booking.sessionId === null ? [] : [getRow(world.sessions, booking.orgId, booking.sessionId)]
  const now = getDecisionTime(world.now, getRow(world.offerings, booking.orgId, booking.offeringId), ...session)
  const desk = decideDeskPayment(record.booking, money, allowsOverpayment, now)
  if (Either.isLeft(desk)) return { world, answer: Either.left(desk.left) }
  const { booking: paidBooking, event } = desk.right
  const { bookings, events } = confirmation.world
  return {
    world: { ...confirmation.world, bookings: put(bookings, [paidBooking]), events: [...events, event] },
    answer: Either.right({ ...record, booking: paidBooking })
  }
}

const judgedAts = ({ offerings, sessions }: World) => [...offerings, ...sessions].map(({ judgedAt }) => judgedAt)

const unjudged = (world: World) => {
  const without = <Place extends object>(place: Place) => ({ ...place, judgedAt: undefined })
  return { ...world, offerings: world.offerings.map(without), sessions: world.sessions.map(without) }
}
