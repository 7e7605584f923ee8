import { computeBalance } from "@trailbook/core/booking/balance"
import { type Booking, immutableBookingFields, isLive } from "@trailbook/core/booking/Booking"
import { type BookingCommand, bookingDecider, type BookingEvent } from "@trailbook/core/booking/BookingDecider"
import { bookingView } from "@trailbook/core/booking/BookingView"
import { buildEventsAndTasks } from "@trailbook/core/booking/eventsAndTasks"
import * as Decider from "@trailbook/core/Decider"
import { type Refusal, refuse } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Struct from "effect/Struct"
import { describe, expect, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { booking, moment, place, recordWith } from "../generators/booking.ts"

const isFree = FastCheck.boolean()
const intent = FastCheck.constantFrom("pi_1", "pi_2", "pi_3")
const target = FastCheck.constantFrom(Either.void, Either.left(refuse("slot_full", 2, 1)))

type Command = Exclude<BookingCommand, { readonly _tag: "Create" }>

const command: FastCheck.Arbitrary<Command> = FastCheck.oneof(
  FastCheck.record({ _tag: FastCheck.constant("Confirm" as const), now: moment, placeIsFree: isFree }),
  FastCheck.record({
    _tag: FastCheck.constant("Pay" as const),
    now: moment,
    placeIsFree: isFree,
    paymentIntentId: intent
  }),
  FastCheck.record({ _tag: FastCheck.constant("Move" as const), now: moment, to: place, target }),
  FastCheck.record({
    _tag: FastCheck.constant("Change" as const),
    now: moment,
    change: FastCheck.oneof(
      FastCheck.record(
        { quantity: FastCheck.integer({ min: 1, max: 4 }), totalCents: FastCheck.nat(), notes: FastCheck.string() },
        { requiredKeys: [] }
      ).map((change) => Either.right(change)),
      FastCheck.constant(Either.left(refuse("party_invalid")))
    ),
    target: FastCheck.constantFrom(Either.void, Either.left(refuse("slot_full", 2, 1)))
  }),
  FastCheck.record({
    _tag: FastCheck.constant("Cancel" as const),
    now: moment,
    refund: FastCheck.constantFrom("all" as const, "full" as const)
  }),
  FastCheck.record({
    _tag: FastCheck.constant("Tap" as const),
    now: moment,
    zone: FastCheck.constant(Zone.get("Etc/UTC")),
    tap: FastCheck.record({
      kind: FastCheck.constantFrom("checked_in" as const, "no_show" as const, "cleared" as const),
      at: moment,
      by: FastCheck.constant({ kind: "staff" as const, id: "a", name: "Ana" })
    })
  })
)

interface Outcome {
  readonly state: Booking
  readonly events: ReadonlyArray<BookingEvent>
  readonly refusal: string | undefined
}

const run = (booking: Booking, command: Command): Outcome => {
  const decision: Either.Either<Decider.Decision<Booking, BookingEvent>, Refusal> = Decider.run(bookingDecider)(
    booking,
    command
  )
  return Either.match(decision, {
    onLeft: ({ code }) => ({ state: booking, events: [], refusal: code }),
    onRight: ({ events, state }) => ({ state, events, refusal: undefined })
  })
}

const runAll = (booking: Booking, commands: ReadonlyArray<Command>): ReadonlyArray<Outcome> => {
  const outcomes: Array<Outcome> = []
  for (const command of commands) outcomes.push(run(outcomes.at(-1)?.state ?? booking, command))
  return outcomes
}

const effectsOf = (before: Booking, { events, state }: Outcome, command: Command) =>
  buildEventsAndTasks({
    before,
    after: recordWith(state),
    events,
    now: "now" in command ? command.now : before.createdAt,
    newId: () => "task"
  })

/** Returns the number of refunds that the events trigger. */
const refunds = ({ events }: Outcome): number =>
  events.filter((event) =>
    event._tag === "payment.returned" || (event._tag === "booking.cancelled" && event.refundCents !== null)
  ).length

const holds = (check: (booking: Booking, command: Command) => void) =>
  FastCheck.assert(FastCheck.property(booking, command, check), { numRuns: runs(1500, 300) })

describe("a command", () => {
  it("has no effect when it is repeated", () => {
    holds((booking, command) => {
      const once = run(booking, command)
      const twice = run(once.state, command)
      expect(twice.events).toEqual([])
      expect(twice.state).toEqual(once.state)
      // A refused command must be refused again for the same reason.
      if (once.refusal !== undefined) expect(twice.refusal).toBe(once.refusal)
    })
  })

  it("changes nothing if it is rejected", () => {
    holds((booking, command) => {
      const { events, refusal } = run(booking, command)
      if (refusal !== undefined) expect(events).toEqual([])
    })
  })

  it("emits events that reproduce the state when they are replayed", () => {
    FastCheck.assert(
      FastCheck.property(booking, FastCheck.array(command, { maxLength: 8 }), (booking, commands) => {
        const outcomes = runAll(booking, commands)
        const events = outcomes.flatMap(({ events }) => events)
        expect(events.reduce(bookingDecider.evolve, booking)).toEqual(outcomes.at(-1)?.state ?? booking)
      }),
      { numRuns: runs(1000, 200) }
    )
  })

  it("changes agreed data only through a Change, the place only through a Move", () => {
    const agreed = (booking: Booking) => {
      const { contact, createdAt, customerId, handle, id, idempotency, metadata, notes, offeringId, orgId } = booking
      const { periodMinutes, periods, quantity, reference, resentAt, source, totalCents } = booking
      const identity = { contact, createdAt, customerId, handle, id, idempotency, metadata, notes, offeringId, orgId }
      return { ...identity, periodMinutes, periods, quantity, reference, resentAt, source, totalCents }
    }
    const place = ({ endsAt, previous, sessionId, startsAt }: Booking) => ({ endsAt, previous, sessionId, startsAt })
    holds((booking, command) => {
      const { state } = run(booking, command)
      if (command._tag !== "Change") expect(agreed(state)).toEqual(agreed(booking))
      if (command._tag !== "Move") expect(place(state)).toEqual(place(booking))
    })
  })

  it("never changes a field that storage does not update", () => {
    const pickFixed = Struct.pick(...immutableBookingFields)
    holds((booking, command) => {
      expect(pickFixed(run(booking, command).state)).toEqual(pickFixed(booking))
    })
  })

  it("never moves updatedAt backward", () => {
    holds((booking, command) => {
      const { events, state } = run(booking, command)
      expect(state.updatedAt).toBe(events.length === 0 ? booking.updatedAt : Math.max(booking.updatedAt, command.now))
    })
  })

  it("sets the confirmation time only when the booking becomes confirmed", () => {
    holds((booking, command) => {
      const { state } = run(booking, command)
      const isConfirmed = booking.status === "held" && state.status === "confirmed"
      expect(state.confirmedAt).toBe(isConfirmed ? command.now : booking.confirmedAt)
    })
  })

  it("keeps the paid amount when it changes the party size", () => {
    holds((booking, command) => {
      if (command._tag !== "Change") return
      const { events, state } = run(booking, command)
      expect(computeBalance(state).paidCents).toBe(computeBalance(booking).paidCents)
      if (events.length === 0) return
      expect(state).toMatchObject(Either.getOrThrow(command.change))
      expect(state.attendance?.arrived ?? 0).toBe(Math.min(booking.attendance?.arrived ?? 0, state.quantity))
    })
  })

  it("emits events that contain the updated booking", () => {
    holds((booking, command) => {
      const outcome = run(booking, command)
      const { events } = effectsOf(booking, outcome, command)
      expect(events.map(({ type }) => type)).toEqual(
        outcome.events.flatMap(({ _tag }) => _tag.startsWith("booking.") ? [_tag] : [])
      )
      for (const { data, orgId, person } of events) {
        expect({ data, orgId, person }).toEqual({
          person: booking.customerId,
          data: bookingView(recordWith(outcome.state)),
          orgId: booking.orgId
        })
      }
    })
  })
})

describe("a canceled booking", () => {
  const cancelledBooking = booking.filter(({ status }) => status === "cancelled")

  it("stays canceled after any command", () => {
    FastCheck.assert(
      FastCheck.property(
        cancelledBooking,
        FastCheck.array(command, { minLength: 1, maxLength: 8 }),
        (booking, commands) => {
          for (const [at, { events, refusal, state }] of runAll(booking, commands).entries()) {
            expect(state.status).toBe("cancelled")
            expect(isLive(state, state.createdAt)).toBe(false)
            const { dispute, paymentIntentId, refund, updatedAt } = state
            expect(state).toEqual({ ...booking, paymentIntentId, refund, dispute, updatedAt })
            const { _tag } = commands[at]!
            if (_tag !== "Tap") {
              expect(refusal).toBe(["Confirm", "Move", "Change"].includes(_tag) ? "booking_cancelled" : undefined)
            }
            if (["Confirm", "Move", "Change", "Cancel", "Tap"].includes(_tag)) expect(events).toEqual([])
          }
        }
      ),
      { numRuns: runs(500, 100) }
    )
  })

  it("refunds a late payment only once", () => {
    FastCheck.assert(
      FastCheck.property(cancelledBooking, moment, intent, (booking, now, paymentIntentId) => {
        const unpaidBooking = { ...booking, paidAt: null, paymentIntentId: null }
        const pay = { _tag: "Pay" as const, now, paymentIntentId, placeIsFree: true }
        const first = run(unpaidBooking, pay)
        expect(first.state.paymentIntentId).toBe(paymentIntentId)
        expect(first.state.paidAt).toBeNull()
        expect(refunds(first)).toBe(1)
        expect(effectsOf(unpaidBooking, first, pay).tasks.map(({ kind }) => kind)).toEqual(["mail.returned"])
        expect(effectsOf(unpaidBooking, first, pay).events).toEqual([])
        expect(refunds(run(first.state, pay))).toBe(0)
      })
    )
  })
})

describe("a hold", () => {
  const heldBooking = booking.filter(({ status }) => status === "held")

  it("keeps its seats until it expires", () => {
    FastCheck.assert(
      FastCheck.property(heldBooking, moment, (booking, now) => {
        if (booking.status !== "held") return
        expect(isLive(booking, now)).toBe(now < booking.expiresAt)
      })
    )
  })

  it("can be confirmed only while live or while its seats are free", () => {
    const refusalCounts = new Map<string, number>()
    FastCheck.assert(
      FastCheck.property(heldBooking, moment, isFree, (booking, now, placeIsFree) => {
        const { refusal, state } = run(booking, { _tag: "Confirm", now, placeIsFree })
        const may = isLive(booking, now) || placeIsFree
        expect(refusal).toBe(may ? undefined : "hold_expired")
        expect(state.status).toBe(may ? "confirmed" : "held")
        for (const field of ["expiresAt", "checkoutUrl", "paymentDue"]) expect(field in state).toBe(!may)
        refusalCounts.set(`${refusal}`, (refusalCounts.get(`${refusal}`) ?? 0) + 1)
      }),
      { numRuns: 500 }
    )
    expect(Math.min(...refusalCounts.values())).toBeGreaterThan(30)
  })

  it("can move only while live, and keeps its expiry", () => {
    FastCheck.assert(
      FastCheck.property(heldBooking, moment, place, target, (booking, now, to, target) => {
        if (booking.status !== "held") return
        const { refusal, state } = run(booking, { _tag: "Move", now, to, target })
        if (booking.expiresAt <= now) expect(refusal).toBe("hold_expired")
        const { checkoutUrl, expiresAt, paymentDue, status } = booking
        expect(state).toMatchObject({ checkoutUrl, expiresAt, paymentDue, status })
      }),
      { numRuns: runs(500, 100) }
    )
  })
})

describe("a change", () => {
  it("is rejected with the first reason that applies", () => {
    const seenRefusals = new Set<string | undefined>()
    FastCheck.assert(
      FastCheck.property(booking, moment, FastCheck.boolean(), (booking, now, hasRoom) => {
        const change = Either.right({ quantity: booking.quantity + 1 })
        const target = hasRoom ? Either.void : Either.left(refuse("slot_full", 2, 1))
        const expected = booking.status === "cancelled"
          ? "booking_cancelled"
          : !isLive(booking, now)
          ? "hold_expired"
          : booking.status === "held" && booking.paymentDue
          ? "checkout_open"
          : hasRoom
          ? undefined
          : "slot_full"
        expect(run(booking, { _tag: "Change", now, change, target }).refusal).toBe(expected)
        seenRefusals.add(expected)
      }),
      { numRuns: 500 }
    )
    expect(seenRefusals.size).toBe(5)
  })
})

describe("a move", () => {
  const open = FastCheck.record({ booking, now: moment, to: place, target }).filter(({ booking, now }) =>
    isLive(booking, now)
  )

  it("changes the place, records the previous place, and keeps the status", () => {
    FastCheck.assert(
      FastCheck.property(open, ({ booking, now, to, target }) => {
        const { endsAt, sessionId, startsAt } = booking
        const isThere = sessionId === to.sessionId && (sessionId !== null || startsAt === to.startsAt)
        const { events, refusal, state } = run(booking, { _tag: "Move", now, to, target })
        if (isThere) {
          expect({ events, refusal, state }).toEqual({ events: [], refusal: undefined, state: booking })
        } else if (Either.isLeft(target)) expect(refusal).toBe("slot_full")
        else {
          const updatedAt = Math.max(booking.updatedAt, now)
          const tapsFrom = Math.max(now, booking.tapsFrom + 1)
          const previous = { endsAt, sessionId, startsAt }
          expect(state).toEqual({ ...booking, ...to, previous, updatedAt, attendance: null, tapsFrom })
        }
      }),
      { numRuns: runs(1000, 200) }
    )
  })

  it("emits no event if the target is the current place", () => {
    FastCheck.assert(
      FastCheck.property(open, ({ booking, now, to: { endsAt } }) => {
        const { sessionId, startsAt } = booking
        const full = Either.left(refuse("slot_full", 1, 0))
        // A retry may compute a different end if the outfitter's time zone has changed.
        const command = { _tag: "Move" as const, now, to: { endsAt, sessionId, startsAt }, target: full }
        const outcome = run(booking, command)
        expect(outcome).toEqual({ state: booking, events: [], refusal: undefined })
        expect(effectsOf(booking, outcome, command)).toEqual({ events: [], tasks: [] })
      })
    )
  })

  it("records the intermediate place as previous when the booking moves back", () => {
    FastCheck.assert(
      FastCheck.property(open, ({ booking, now, to }) => {
        const { endsAt, sessionId, startsAt } = booking
        const move = (to: typeof booking.previous & object) => ({ _tag: "Move" as const, now, to, target: Either.void })
        const [, back] = runAll(booking, [move(to), move({ endsAt, sessionId, startsAt })])
        expect(back?.state).toMatchObject({ endsAt, sessionId, startsAt })
        if (back?.events.length === 1) expect(back.state.previous).toEqual(to)
      })
    )
  })
})

describe("a payment", () => {
  it("confirms a hold, or is refunded if the place is no longer free", () => {
    FastCheck.assert(
      FastCheck.property(booking, moment, isFree, intent, (booking, now, placeIsFree, paymentIntentId) => {
        if (booking.status !== "held") return
        const command = { _tag: "Pay" as const, now, placeIsFree, paymentIntentId }
        const outcome = run(booking, command)
        const { tasks, events } = effectsOf(booking, outcome, command)
        if (isLive(booking, now) || placeIsFree) {
          expect(outcome.state).toMatchObject({ status: "confirmed", paidAt: now, paymentIntentId })
          expect(tasks.map(({ kind }) => kind)).toEqual(["mail.confirmed"])
        } else {
          expect(outcome.state).toMatchObject({ status: "cancelled", cancelledAt: now, paymentIntentId })
          expect(tasks.map(({ kind }) => kind)).toEqual(["mail.cancelled"])
          expect(refunds(outcome)).toBe(1)
          expect(events.map(({ type }) => type)).toEqual(["booking.cancelled"])
        }
      }),
      { numRuns: runs(1000, 200) }
    )
  })

  it("is recorded for a confirmed booking without a second email", () => {
    FastCheck.assert(
      FastCheck.property(booking, moment, intent, (booking, now, paymentIntentId) => {
        if (booking.status !== "confirmed" || booking.paymentIntentId !== null) return
        const command = { _tag: "Pay" as const, now, placeIsFree: false, paymentIntentId }
        const outcome = run(booking, command)
        const updatedAt = Math.max(booking.updatedAt, now)
        expect(outcome.state).toEqual({ ...booking, paidAt: now, paymentIntentId, updatedAt })
        expect(effectsOf(booking, outcome, command).tasks).toEqual([])
      })
    )
  })

  it("is refunded once if the booking is canceled at the same time", () => {
    FastCheck.assert(
      FastCheck.property(booking, moment, intent, (booking, now, paymentIntentId) => {
        if (booking.status !== "held" || booking.expiresAt <= now || booking.startsAt <= now) return
        // A free booking has no payment to refund.
        if (booking.totalCents === 0) return
        const pay = { _tag: "Pay" as const, now, placeIsFree: true, paymentIntentId }
        const cancel = { _tag: "Cancel" as const, now }
        for (const commands of [[pay, cancel], [cancel, pay], [pay, cancel, pay], [cancel, pay, cancel, pay]]) {
          const outcomes = runAll(booking, commands)
          const count = outcomes.reduce((sum, outcome) => sum + refunds(outcome), 0)
          expect(count).toBe(1)
          expect(outcomes.at(-1)?.state).toMatchObject({ status: "cancelled", paymentIntentId })
        }
      })
    )
  })

  it("is refunded at most once, even after repeated webhooks", () => {
    let refunded = 0
    FastCheck.assert(
      FastCheck.property(booking, FastCheck.array(command, { maxLength: 10 }), (booking, commands) => {
        FastCheck.pre(booking.status !== "cancelled")
        let state: Booking = booking
        let count = 0
        for (const command of commands) {
          const outcome = run(state, command)
          count += refunds(outcome)
          ;({ state } = outcome)
        }
        expect(count).toBeLessThanOrEqual(1)
        if (count === 1) expect(state.status).toBe("cancelled")
        refunded += count
      }),
      { numRuns: 1000 }
    )
    expect(refunded).toBeGreaterThan(100)
  })
})

describe("a cancellation", () => {
  it("refunds the payment before the start, or anytime if the outfitter cancels", () => {
    FastCheck.assert(
      FastCheck.property(booking, moment, (booking, now) => {
        if (booking.status === "cancelled") return
        const outcome = run(booking, { _tag: "Cancel" as const, now })
        const isPaid = booking.paymentIntentId !== null && booking.totalCents > 0 &&
          (booking.dispute === null || booking.dispute.status === "won")
        expect(outcome.state).toMatchObject({ status: "cancelled", cancelledAt: now })
        expect(outcome.state.paymentIntentId).toBe(booking.paymentIntentId)
        const refunded = (refund: "all" | "full" | "none") => {
          const command = { _tag: "Cancel" as const, now, refund }
          const outcome = run(booking, command)
          expect(effectsOf(booking, outcome, command).tasks.map(({ kind }) => kind)).toEqual(["mail.cancelled"])
          expect(outcome.state.refund).toEqual(
            refunds(outcome) > 0 ? { status: "due", cents: booking.totalCents, at: now } : null
          )
          return refunds(outcome)
        }
        expect(refunded("full")).toBe(isPaid && now < booking.startsAt ? 1 : 0)
        expect(refunded("all")).toBe(isPaid ? 1 : 0)
        expect(refunded("none")).toBe(0)
      }),
      { numRuns: runs(1000, 200) }
    )
  })
})

describe("a restoration", () => {
  it("confirms a booking within 24 hours of its cancellation", () => {
    const cancel = FastCheck.record({
      _tag: FastCheck.constant("Cancel" as const),
      now: moment,
      refund: FastCheck.constantFrom("all" as const, "full" as const, "none" as const)
    })
    let restoredCount = 0
    FastCheck.assert(
      FastCheck.property(
        booking,
        cancel,
        FastCheck.integer({ min: -1, max: 1 }),
        target,
        (booking, cancel, ms, target) => {
          FastCheck.pre(booking.status !== "cancelled")
          const canceledBooking = run(booking, cancel).state
          const now = Instant.make(cancel.now + 24 * 3_600_000 + ms)
          const command = { _tag: "Restore" as const, now, target }
          const outcome = run(canceledBooking, command)
          const { events, refusal, state } = outcome
          expect(refusal).toBe(ms > 0 ? "booking_cancelled" : Either.isLeft(target) ? "slot_full" : undefined)
          if (refusal !== undefined) return
          expect(events.map(({ _tag }) => _tag)).toEqual(["booking.confirmed"])
          expect(state).toMatchObject({ status: "confirmed", keepCents: null, refund: canceledBooking.refund })
          expect(state.confirmedAt).toBe(booking.confirmedAt ?? now)
          const { dueCents, paidCents } = computeBalance(state)
          expect([paidCents, dueCents]).toEqual([
            computeBalance(canceledBooking).paidCents,
            Math.max(0, state.totalCents - computeBalance(canceledBooking).paidCents)
          ])
          expect(effectsOf(canceledBooking, outcome, command).tasks.map(({ kind }) => kind)).toEqual(["mail.confirmed"])
          expect(run(state, { ...command, target: Either.left(refuse("slot_full", 2, 1)) }).events).toEqual([])
          // A second cancellation does not refund the same payment again.
          if (canceledBooking.refund !== null) expect(refunds(run(state, cancel))).toBe(0)
          restoredCount++
        }
      ),
      { numRuns: runs(500, 200) }
    )
    expect(restoredCount).toBeGreaterThan(30)
  })
})

describe("guests", () => {
  it("get one email per booking change, and none for a hold", () => {
    const mails = {
      "booking.confirmed": "mail.confirmed",
      "booking.moved": "mail.moved",
      "booking.updated": "mail.updated",
      "booking.cancelled": "mail.cancelled"
    }
    holds((booking, command) => {
      const outcome = run(booking, command)
      const mailKinds = effectsOf(booking, outcome, command).tasks.map(({ kind }) => kind)
      const [event] = outcome.events
      const type = event?._tag
      if (type === "payment.returned") {
        expect(mailKinds).toEqual(["mail.returned"])
        return
      }
      const isNews = type === "booking.moved" || type === "booking.cancelled" ||
        (type === "booking.confirmed" && booking.status === "held") ||
        (type === "booking.updated" &&
          (outcome.state.quantity !== booking.quantity || outcome.state.totalCents !== booking.totalCents))
      expect(mailKinds).toEqual(isNews ? [mails[type]] : [])
    })
    FastCheck.assert(
      FastCheck.property(booking, (booking) => {
        if (booking.status === "cancelled") return
        const { events, tasks } = buildEventsAndTasks({
          before: null,
          after: recordWith(booking),
          events: [{ _tag: "booking.created", booking }],
          now: booking.createdAt,
          newId: () => "task"
        })
        expect(events.map(({ type }) => type)).toEqual([`booking.${booking.status}`])
        expect(tasks.map(({ kind }) => kind)).toEqual(
          booking.status === "confirmed"
            ? ["mail.confirmed"]
            : (booking.unproven?.confirmIn ?? null) === null
            ? []
            : ["mail.held"]
        )
      })
    )
  })
})
