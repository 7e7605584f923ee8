import { applyPayments, computeBalance } from "@trailbook/core/booking/balance"
import { bookingDecider } from "@trailbook/core/booking/BookingDecider"
import * as Decider from "@trailbook/core/Decider"
import { computePaidCents } from "@trailbook/core/payment/ledger/LedgerEntry"
import { toOnlineEntries } from "@trailbook/core/payment/ledger/toOnlineEntries"
import type { Payment } from "@trailbook/core/payment/Payment"
import { unlimitedKeptCents } from "@trailbook/core/pricing/CancellationPolicy"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"
import { booking, moment } from "../generators/booking.ts"
import { payment } from "../payment/payments.ts"

const cents = FastCheck.integer({ min: 0, max: 2_000_000_000 })

const anyBooking = FastCheck.tuple(booking, cents, FastCheck.boolean()).map(([booking, desk, paysAll]) => ({
  ...booking,
  deskCents: paysAll ? booking.totalCents : desk
}))

it("splits the total and paid amounts into parts that add up", () => {
  FastCheck.assert(
    FastCheck.property(anyBooking, (booking) => {
      const { dueCents, keptCents, owedCents, paidCents } = computeBalance(booking)
      expect(dueCents).toBeGreaterThanOrEqual(0)
      expect(owedCents).toBeGreaterThanOrEqual(0)
      if (booking.status === "cancelled") {
        expect([dueCents, keptCents]).toEqual([0, Math.min(booking.keepCents, paidCents)])
        expect(paidCents).toBe((keptCents ?? 0) + owedCents)
      } else {
        expect(keptCents).toBeNull()
        expect(booking.totalCents).toBe(paidCents + dueCents - owedCents)
        expect(dueCents === 0 || owedCents === 0).toBe(true)
      }
    })
  )
})

it("owes a refund only for cancellations before the start or by the outfitter", () => {
  FastCheck.assert(
    FastCheck.property(
      anyBooking,
      moment,
      FastCheck.constantFrom("all" as const, "full" as const),
      (booking, now, refund) => {
        FastCheck.pre(booking.status !== "cancelled")
        const { state } = Either.getOrThrow(Decider.run(bookingDecider)(booking, { _tag: "Cancel", now, refund }))
        expect(state.keepCents).toBe(refund === "all" || booking.startsAt > now ? 0 : unlimitedKeptCents)
        const { owedCents, paidCents } = computeBalance(state)
        expect(owedCents).toBe(state.keepCents === 0 ? Math.max(0, paidCents) : 0)
      }
    )
  )
})

it("refunds an online payment if the guest already paid at the desk", () => {
  FastCheck.assert(
    FastCheck.property(anyBooking, moment, (booking, now) => {
      FastCheck.pre(booking.status === "confirmed" && booking.paymentIntentId === null && booking.totalCents > 0)
      const pay = { _tag: "Pay", now, paymentIntentId: "pi_late", placeIsFree: true } as const
      const { state } = Either.getOrThrow(Decider.run(bookingDecider)(booking, pay))
      expect(state.paymentIntentId).toBe(booking.deskCents >= booking.totalCents ? null : "pi_late")
    })
  )
})

it("adds up desk and online payments", () => {
  const at = Instant.make(0)
  FastCheck.assert(
    FastCheck.property(anyBooking, (booking) => {
      const base = { ...booking, paidAt: at, paymentIntentId: "pi_1", refund: null, dispute: null }
      expect(computeBalance(base).paidCents).toBe(booking.totalCents + booking.deskCents)
      expect(computeBalance({ ...base, refund: { status: "refused", cents: booking.totalCents, at } }).paidCents).toBe(
        booking.deskCents
      )
      expect(computeBalance({ ...base, dispute: { status: "open", at } }).paidCents).toBe(booking.deskCents)
      expect(computeBalance({ ...base, dispute: { status: "won", at } }).paidCents).toBe(
        booking.totalCents + booking.deskCents
      )
    })
  )
})

it("computes the paid amount as the sum of the payment entries", () => {
  FastCheck.assert(
    FastCheck.property(
      booking,
      FastCheck.array(payment, { minLength: 1, maxLength: 3 }),
      moment,
      (booking, attempts, paidAt) => {
        const payments = attempts.map((one, at): Payment => ({
          ...one,
          id: `payment-${at + 1}`,
          attempt: at + 1,
          ...(one.status === "paid" ? { intent: `pi_${at + 1}` } : {})
        }))
        const first = payments.find(({ status }) => status === "paid")
        FastCheck.pre(first?.status === "paid")
        const paidBooking = {
          ...booking,
          deskCents: 0,
          paidAt,
          paymentIntentId: first?.status === "paid" ? first.intent : null
        }
        const after = applyPayments(paidBooking, [], payments)
        const sum = payments.flatMap(toOnlineEntries).reduce((total, entry) => total + computePaidCents(entry), 0)
        expect(computeBalance(after).paidCents).toBe(sum)
        expect(applyPayments(after, payments, payments.slice(0, 1))).toEqual(after)
      }
    ),
    { numRuns: 500 }
  )
})
