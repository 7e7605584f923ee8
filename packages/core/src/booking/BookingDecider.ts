/**
 * The state machine for a booking. It is pure: the command contains all facts, such as the current time and the place's
 * availability.
 *
 * | state     | Create | Confirm             | Pay                 | Move       | Change | Cancel    | Restore | Prove | Tap |
 * |-----------|--------|---------------------|---------------------|------------|--------|-----------|---------|-------|-----|
 * | (new)     | held or confirmed | –       | –                   | –          | –      | –         | –       | –     | –   |
 * | held      | –      | confirmed, if live or free | the same, else cancelled | held, if live | held, if live and not paid online | cancelled | booking_held | confirmed like Confirm, if it depends on the mailed link | booking_held |
 * | confirmed | –      | no change           | confirmed, paid     | confirmed  | confirmed | cancelled | no change | proven | attendance |
 * | cancelled | –      | booking_cancelled   | payment returned    | booking_cancelled | booking_cancelled | no change | confirmed, if within 24 hours and free | booking_cancelled | booking_cancelled |
 *
 * A payment is refunded if it arrives too late, if its booking is canceled before the start, or if the outfitter
 * cancels the session or the offering. A disputed payment is not refunded, because the bank either withholds the money
 * or has already returned it to the guest. `applyPayments` updates the progress of refunds and disputes.
 *
 * Moves and cancellations clear the attendance. `attendance/Attendance.ts` decides which taps count.
 *
 * Only `Restore` reverses a cancellation. It does not undo the refund, so the guest owes the refunded amount again.
 * Every command except `Create` can be repeated. A repeated command produces no events.
 */
import * as Either from "effect/Either"
import * as Struct from "effect/Struct"
import type { Decider } from "../Decider.ts"
import { computeKeptCents, type RefundChoice } from "../pricing/CancellationPolicy.ts"
import { type Refusal, refuse } from "../Refusal.ts"
import * as Instant from "../time/Instant.ts"
import type { Zone } from "../time/Zone.ts"
import {
  type AttendanceChange,
  type AttendanceChangeResult,
  type AttendanceRefusal,
  computeNextAttendanceTime,
  decideAttendance
} from "./attendance/Attendance.ts"
import { computeBalance, computeCancellationRefund, getReceivedOnlineCents } from "./balance.ts"
import {
  type Booking,
  type BookingChange,
  type CancelledBooking,
  computeUpdatedAt,
  type ConfirmedBooking,
  type HeldBooking,
  type Place
} from "./Booking.ts"
import type { PlaceRefusal } from "./checkPlace.ts"
import {
  createBooking,
  type CreateBookingFacts,
  type CreateBookingRefusal,
  type CreateBookingRequest,
  type NewBookingIds,
  type PaymentStatusRequired
} from "./createBooking.ts"

export type BookingCommand =
  | {
    readonly _tag: "Create"
    readonly request: CreateBookingRequest
    readonly ids: NewBookingIds
    readonly facts: CreateBookingFacts
  }
  | { readonly _tag: "Confirm"; readonly now: Instant.Instant; readonly placeIsFree: boolean }
  | {
    readonly _tag: "Pay"
    readonly now: Instant.Instant
    readonly paymentIntentId: string
    readonly placeIsFree: boolean
    /** The paid amount. Default: the total. */
    readonly cents?: number
  }
  | {
    readonly _tag: "Move"
    readonly now: Instant.Instant
    readonly to: Place
    /** The target's availability, computed as if this booking did not exist. */
    readonly target: Either.Either<void, PlaceRefusal>
    readonly byGuest?: boolean
  }
  | {
    readonly _tag: "Change"
    readonly now: Instant.Instant
    readonly change: Either.Either<BookingChange, BookingChangeRefusal>
    /** The capacity check for a larger party, computed as if this booking did not exist. */
    readonly target: Either.Either<void, Refusal<"slot_full">>
  }
  /**
   * `all` means that the outfitter canceled the session or the offering. The money is then returned even after the
   * start.
   */
  | { readonly _tag: "Cancel"; readonly now: Instant.Instant; readonly refund?: RefundChoice | "all" }
  | {
    readonly _tag: "Restore"
    readonly now: Instant.Instant
    /** The availability of the place and the discount code. */
    readonly target: Either.Either<void, PlaceRefusal | Refusal<"discount_invalid">>
  }
  /** The guest opened the link that was emailed for this booking. */
  | { readonly _tag: "Prove"; readonly now: Instant.Instant; readonly placeIsFree: boolean }
  /** A staff member or a program recorded whether the guests arrived. */
  | { readonly _tag: "Tap"; readonly now: Instant.Instant; readonly tap: AttendanceChange; readonly zone: Zone }

export type BookingEvent =
  /** The event feed reports this event as `booking.held` or `booking.confirmed`. */
  | { readonly _tag: "booking.created"; readonly booking: HeldBooking | ConfirmedBooking }
  /**
   * `intentId` is the payment that confirmed the booking, or null if it was confirmed without an online payment.
   * `cents` is the amount of the payment. Default: the total.
   */
  | {
    readonly _tag: "booking.confirmed"
    readonly at: Instant.Instant
    readonly intentId: string | null
    readonly cents?: number
  }
  /**
   * `minKeepCents` is the minimum amount that the outfitter keeps if the booking is canceled after the move. See
   * `CancellationPolicy.ts`.
   */
  | {
    readonly _tag: "booking.moved"
    readonly at: Instant.Instant
    readonly to: Place
    readonly minKeepCents: number
  }
  | { readonly _tag: "booking.updated"; readonly at: Instant.Instant; readonly to: BookingChange }
  | {
    readonly _tag: "booking.cancelled"
    readonly at: Instant.Instant
    readonly intentId: string | null
    /** The refund for the online payment. Null if the payment is not refunded. */
    readonly refundCents: number | null
    /** The maximum amount that the outfitter keeps from the payments. */
    readonly keepCents: number
  }
  /**
   * A payment arrived for a booking that was already canceled. The payment is refunded, and the event feed does not
   * report it.
   */
  | {
    readonly _tag: "payment.returned"
    readonly at: Instant.Instant
    readonly intentId: string
    /** The amount of the payment. */
    readonly cents: number
  }
  /** Another payment covered the remaining amount (`settlePayment`). `cents` is the total of all payments. */
  | { readonly _tag: "payment.added"; readonly at: Instant.Instant; readonly cents: number }
  /** An emailed link was opened. The event feed does not report it. */
  | { readonly _tag: "booking.proven"; readonly at: Instant.Instant }
  | {
    /** `tap.void` means that there was no recorded attendance to clear. The event feed does not report it. */
    readonly _tag: "booking.checked_in" | "booking.no_show" | "booking.attendance_cleared" | "tap.void"
    readonly at: Instant.Instant
    readonly result: AttendanceChangeResult
  }

export type BookingChangeRefusal = Refusal<"invalid_request" | "party_invalid" | "discount_invalid" | "price_changed">

/** The refusals that each command can return. */
export type BookingRefusals = {
  readonly Create: CreateBookingRefusal | PaymentStatusRequired
  readonly Confirm: Refusal<"booking_cancelled" | "hold_expired">
  readonly Pay: never
  readonly Move: PlaceRefusal | Refusal<"booking_cancelled" | "hold_expired">
  readonly Change:
    | BookingChangeRefusal
    | Refusal<"booking_cancelled" | "hold_expired" | "checkout_open" | "slot_full" | "customer_erased">
  readonly Cancel: never
  readonly Restore:
    | PlaceRefusal
    | Refusal<"booking_held" | "booking_cancelled" | "customer_erased" | "discount_invalid">
  readonly Prove: Refusal<"booking_cancelled" | "hold_expired">
  readonly Tap: AttendanceRefusal
}

type BookingDecider = Decider<Booking, BookingCommand, BookingEvent, BookingRefusals, "Create">

const noEvents = Either.right([])

const decide: BookingDecider["decide"] = {
  Create: (_, { facts, ids, request }) =>
    Either.map(createBooking(request, ids, facts), (booking) => [{ _tag: "booking.created", booking }]),
  Confirm: (booking, { now, placeIsFree }) => {
    switch (booking.status) {
      case "confirmed":
        return noEvents
      case "cancelled":
        return Either.left(refuse("booking_cancelled"))
      case "held":
        return canKeepPlace(booking, now, placeIsFree)
          ? Either.right([{ _tag: "booking.confirmed", at: now, intentId: null }])
          : Either.left(refuse("hold_expired"))
    }
  },
  // Payment notifications can arrive twice, late, or out of order. Each payment changes the booking at most once.
  Pay: (booking, { cents = booking.totalCents, now, paymentIntentId: intentId, placeIsFree }) => {
    const { dueCents } = computeBalance(booking)
    const paidCents = getReceivedOnlineCents(booking) + Math.min(cents, dueCents)
    const confirmation = {
      _tag: "booking.confirmed",
      at: now,
      intentId,
      ...(paidCents === booking.totalCents ? {} : { cents: paidCents })
    } as const
    if (booking.paymentIntentId !== null) return noEvents
    switch (booking.status) {
      case "cancelled":
        return Either.right([{
          _tag: "payment.returned",
          at: now,
          intentId,
          cents
        }])
      case "confirmed":
        // The guest paid at the desk in the meantime, so the online payment is refunded.
        return booking.deskCents > 0 && dueCents === 0
          ? noEvents
          : Either.right([confirmation])
      case "held":
        return Either.right([
          canKeepPlace(booking, now, placeIsFree)
            ? confirmation
            : {
              _tag: "booking.cancelled",
              at: now,
              intentId,
              refundCents: cents,
              keepCents: 0
            }
        ])
    }
  },
  Move: (booking, { byGuest = false, now, target, to }) => {
    if (booking.status === "cancelled") return Either.left(refuse("booking_cancelled"))
    if (booking.status === "held" && booking.expiresAt <= now) {
      return Either.left(refuse("hold_expired", "The hold has expired. Confirm the hold, or book again."))
    }
    if (isAtMoveTarget(booking, to)) return noEvents
    const minKeepCents = byGuest ? Math.min(computeKeptCents(booking, "policy", now), booking.totalCents) : 0
    return Either.map(target, () => [{ _tag: "booking.moved", at: now, to, minKeepCents }])
  },
  Change: (booking, { change, now, target }) => {
    if (booking.status === "cancelled") return Either.left(refuse("booking_cancelled"))
    if (booking.status === "held") {
      if (booking.expiresAt <= now) {
        return Either.left(refuse("hold_expired", "The hold has expired. Confirm the hold, or book again."))
      }
      // The open checkout charges the current total, so the price must not change.
      if (booking.paymentDue) return Either.left(refuse("checkout_open"))
    }
    return Either.flatMap(change, (to) =>
      Struct.keys(to).every((field) => isEqualJson(to[field], booking[field]))
        ? noEvents
        : Either.map(target, () => [{ _tag: "booking.updated", at: now, to }]))
  },
  Cancel: (booking, { now, refund = "full" }) => {
    if (booking.status === "cancelled") return noEvents
    const { paymentIntentId: intentId } = booking
    const keepCents = refund === "all" ? 0 : computeKeptCents(booking, refund, now)
    const { onlineCents } = computeCancellationRefund(booking, keepCents)
    const refundCents = onlineCents > 0 ? onlineCents : null
    return Either.right([{ _tag: "booking.cancelled", at: now, intentId, refundCents, keepCents }])
  },
  Restore: (booking, { now, target }) => {
    if (booking.status === "confirmed") return noEvents
    if (booking.status === "held") return Either.left(refuse("booking_held"))
    return now > getRestoreDeadline(booking.cancelledAt)
      ? Either.left(
        refuse("booking_cancelled", "This booking was canceled more than 24 hours ago. Create a new booking instead.")
      )
      : Either.map(target, () => [{ _tag: "booking.confirmed", at: now, intentId: null }])
  },
  Prove: (booking, { now, placeIsFree }) => {
    if (booking.status === "cancelled") return Either.left(refuse("booking_cancelled"))
    if (booking.unproven === null) return noEvents
    const provenEvent = { _tag: "booking.proven", at: now } as const
    if (booking.status === "confirmed" || booking.unproven.confirmIn === null) return Either.right([provenEvent])
    return canKeepPlace(booking, now, placeIsFree)
      ? Either.right([provenEvent, { _tag: "booking.confirmed", at: now, intentId: null }])
      : Either.left(refuse("hold_expired"))
  },
  Tap: (booking, { tap, ...facts }) =>
    Either.map(decideAttendance(booking, tap, facts), (result) => {
      if (result === undefined) return []
      const clearedTag = booking.attendance === null ? "tap.void" : "booking.attendance_cleared"
      const _tag = result.attendance === null ? clearedTag : `booking.${result.attendance.status}` as const
      return [{ _tag, at: facts.now, result }]
    })
}

/**
 * Returns whether the booking is already at a move's target, in which case the move would change nothing. Compares the
 * session or the start, but not the end. The end was fixed when the booking was created, and recomputing it could give
 * a different time if the outfitter's time zone has changed since.
 */
export const isAtMoveTarget = (booking: Booking, to: Place): boolean =>
  booking.sessionId === to.sessionId && (booking.sessionId !== null || booking.startsAt === to.startsAt)

/** Returns the deadline for restoring a canceled booking that has not started yet. */
export const getRestoreDeadline = (cancelledAt: Instant.Instant): Instant.Instant =>
  Instant.addMinutes(cancelledAt, 24 * 60)

/**
 * Returns whether two JSON values are equal. Both values must come from the same builder, which writes the fields in
 * the same order.
 */
export const isEqualJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const canKeepPlace = (hold: HeldBooking, now: Instant.Instant, placeIsFree: boolean): boolean =>
  hold.expiresAt > now || placeIsFree

const evolve = (booking: Booking | null, event: BookingEvent): Booking => {
  if (event._tag === "booking.created") return event.booking
  if (booking === null) throw new Error(`Invariant violated: ${event._tag} without a booking`)
  // `apply` returns a new object, so it is not copied again.
  return Object.assign(apply(booking, event), { updatedAt: computeUpdatedAt(booking, event.at) })
}

const apply = (booking: Booking, event: Exclude<BookingEvent, { readonly _tag: "booking.created" }>): Booking => {
  switch (event._tag) {
    case "booking.confirmed":
      return {
        ...pickCommonFields(booking),
        status: "confirmed",
        // A payment also confirms a booking that is already confirmed. Keep the first confirmation time.
        confirmedAt: booking.confirmedAt ?? event.at,
        keepCents: null,
        tapsFrom: booking.status === "confirmed" ? booking.tapsFrom : computeNextAttendanceTime(booking, event.at),
        ...(event.intentId === null
          ? {}
          : {
            paidAt: event.at,
            paymentIntentId: event.intentId,
            unproven: null,
            ...(event.cents === undefined ? {} : { onlineCents: event.cents })
          })
      } satisfies ConfirmedBooking
    case "booking.moved": {
      const { endsAt, sessionId, startsAt } = booking
      const { cancellationPolicy: policy } = booking
      return {
        ...booking,
        ...event.to,
        ...clearAttendance(booking, event.at),
        previous: { startsAt, endsAt, sessionId },
        cancellationPolicy: policy &&
          { ...policy, min_keep_cents: Math.max(policy.min_keep_cents, event.minKeepCents) }
      }
    }
    case "booking.updated": {
      const { attendance, onlineCents, paidAt, totalCents } = booking
      const { quantity = booking.quantity } = event.to
      return {
        ...booking,
        ...event.to,
        onlineCents: paidAt === null || (event.to.totalCents ?? totalCents) === totalCents
          ? onlineCents
          : onlineCents ?? totalCents,
        attendance: attendance && { ...attendance, arrived: Math.min(attendance.arrived, quantity) }
      }
    }
    case "booking.checked_in":
    case "booking.no_show":
    case "booking.attendance_cleared":
    case "tap.void":
      return { ...booking, attendance: event.result.attendance, tapsFrom: event.result.at }
    case "booking.proven":
      return { ...booking, unproven: null }
    case "payment.returned":
      return {
        ...booking,
        paymentIntentId: event.intentId,
        refund: makeDueRefund(event.cents, event.at)
      }
    case "payment.added":
      return { ...booking, onlineCents: event.cents }
    case "booking.cancelled":
      return {
        ...pickCommonFields(booking),
        ...clearAttendance(booking, event.at),
        status: "cancelled",
        cancelledAt: event.at,
        unproven: null,
        paymentIntentId: event.intentId,
        refund: event.refundCents === null
          ? booking.refund
          : makeDueRefund((booking.refund?.cents ?? 0) + event.refundCents, event.at),
        keepCents: event.keepCents
      } satisfies CancelledBooking
  }
}

const makeDueRefund = (cents: number, at: Instant.Instant) => cents === 0 ? null : { status: "due", cents, at } as const

/** Clears the attendance. Taps before this change no longer count. */
const clearAttendance = (booking: Booking, now: Instant.Instant) => ({
  attendance: null,
  tapsFrom: computeNextAttendanceTime(booking, now)
})

/** A booking in any state, with the fields that only some states have. */
type AnyBooking =
  & Booking
  & Partial<Pick<HeldBooking, "checkoutUrl" | "expiresAt" | "paymentDue"> & Pick<CancelledBooking, "cancelledAt">>

/** Returns the fields that all states share. The expiry and the checkout are omitted, because only a hold has them. */
const pickCommonFields = (booking: Booking) => {
  const {
    cancelledAt: _at,
    checkoutUrl: _url,
    expiresAt: _expiry,
    paymentDue: _due,
    status: _status,
    ...fields
  }: AnyBooking = booking
  return fields
}

export const bookingDecider: BookingDecider = { decide, evolve }
