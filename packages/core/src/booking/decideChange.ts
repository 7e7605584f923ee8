import * as Either from "effect/Either"
import * as Decider from "../Decider.ts"
import type { Payment } from "../payment/Payment.ts"
import { notFound } from "../Refusal.ts"
import type { Instant } from "../time/Instant.ts"
import { afterCancel, afterConfirm } from "./afterCancel.ts"
import { announce, type Announced, taskOf } from "./announce.ts"
import * as State from "./BatchState.ts"
import { type Booking, isLive, type Place } from "./Booking.ts"
import { type BookingCommand, bookingDecider, type BookingEvent, isThere } from "./BookingDecider.ts"
import type { BookingRecord } from "./BookingView.ts"
import type { Change, ChangeRefusal } from "./Change.ts"
import { ChangedMeanwhile } from "./ChangedMeanwhile.ts"
import { destinationOf } from "./destinationOf.ts"
import { drawn } from "./drawn.ts"
import { reported } from "./landed.ts"
import { paymentTasks } from "./paymentTasks.ts"
import { type Answered, momentOf, questionOf, useOf } from "./question.ts"
import type { Drawn } from "./Request.ts"
import { settlement } from "./settlement.ts"
import { fits, offered, type PlaceRefusal } from "./target.ts"

type ChangeRequest = Extract<Drawn, { readonly taskIds: unknown }>

/** The command for the booking, and where it takes a place that it does not keep yet. */
interface Intent {
  readonly command: Exclude<BookingCommand, { readonly _tag: "Place" | "Refunded" | "RefuseRefund" }>
  readonly takes?: Place
}

/**
 * Decides a change over what the requests before it have left, and leaves what it
 * makes of the booking to those behind it. `told` gains what is to be told.
 *
 * @category deciding
 */
export const decideChange = (
  state: State.BatchState,
  request: ChangeRequest,
  answered: Answered | undefined,
  told: Array<Announced>
): Either.Either<BookingRecord, ChangeRefusal | ChangedMeanwhile> =>
  Either.gen(function*() {
    const { change, paymentId, taskIds } = request
    const locked = state.bookings.get(State.nameOf(change.key))
    if (locked === undefined) return yield* Either.left(notFound("booking", change.key.id))
    const record = State.current(state, locked)
    const { booking } = record
    const now = change._tag === "Cancel" ? state.now : momentOf(state, booking, change)
    if (!isCovered(state, request, booking, now)) return yield* Either.left(new ChangedMeanwhile())
    const { command, takes } = yield* intentOf(state, request, booking, now, answered)
    const payments = state.payments.get(State.nameOf(booking)) ?? []
    const { booking: { events, state: after }, payments: changes } = change._tag === "Pay" && command._tag === "Pay"
      ? paid(
        record,
        reported(record, payments, reportOf(change), { id: paymentId, now, org: orgOf(state, booking) }),
        command
      )
      : yield* Either.map(run(booking, command), (decided) => ({
        booking: decided,
        payments: decided.events.length === 0
          ? []
          : command._tag === "Prove"
          ? []
          : command._tag === "Confirm"
          ? afterConfirm(payments)
          : afterCancel(decided.state, payments, now)
      }))
    if (events.length === 0 && changes.length === 0) return record
    const ids = [...taskIds]
    const newId = () => drawn(ids.shift())
    const changed = { ...record, booking: after }
    if (events.length > 0) State.putBooking(state, booking, after)
    if (takes !== undefined) {
      State.putPlace(state, { orgId: booking.orgId, id: booking.offeringId }, takes, answered?.lapsedAt ?? null)
    }
    for (const { state: payment } of changes) State.putPayment(state, payment)
    const isMailed = change._tag === "Move" || change._tag === "Cancel" ? change.isMailed ?? true : true
    told.push(announce({ before: booking, after: changed, events, now, newId, isMailed }))
    // A payment that changes nothing about its booking is one too many.
    const second = events.length === 0 ? [taskOf(after, "mail.returned", newId(), now)] : []
    told.push({
      events: [],
      tasks: [...second, ...changes.flatMap((one) => paymentTasks(one.state, one.events, { now, newId }))]
    })
    return changed
  })

const reportOf = ({ paymentId, paymentIntentId: intent }: Extract<Change, { readonly _tag: "Pay" }>) => ({
  intent,
  paymentId
})

const paid = ({ booking }: BookingRecord, payment: Payment, { now, paymentIntentId: intent, placeIsFree }: Pay) => {
  const settled = settlement(booking, payment, { now, intent, placeIsFree })
  return { booking: settled.booking, payments: settled.payment.events.length === 0 ? [] : [settled.payment] }
}

type Pay = Extract<BookingCommand, { readonly _tag: "Pay" }>

const orgOf = ({ orgs }: State.BatchState, { orgId }: Booking) => {
  const known = orgs.get(orgId)
  if (known === undefined) throw new Error("A booking without its org.")
  return known.org
}

/** One rule of the decider for each command; all of them are refused alike here. */
const run = (
  booking: Booking,
  command: Intent["command"]
): Either.Either<Decider.Decision<Booking, BookingEvent>, ChangeRefusal> =>
  Decider.run(bookingDecider)(booking, command)

/** Whether the places that it needs are locked: it may have moved, or run out, since it was looked up. */
const isCovered = (
  { sessions }: State.BatchState,
  { change, locksClass }: ChangeRequest,
  booking: Booking,
  now: Instant
): boolean => {
  const { orgId, sessionId, status } = booking
  // Cancelled is final and sold to nobody; what is no class locks its offering in any case.
  if (change._tag === "Cancel" || status === "cancelled" || sessionId === null) return true
  return sessions.has(State.nameOf({ orgId, id: sessionId })) && (locksClass || isLive(booking, now))
}

const intentOf = (
  state: State.BatchState,
  request: ChangeRequest,
  booking: Booking,
  now: Instant,
  answered: Answered | undefined
): Either.Either<Intent, PlaceRefusal | ChangedMeanwhile> => {
  const { change } = request
  switch (change._tag) {
    case "Cancel":
      return Either.right({ command: { _tag: "Cancel", now } })
    case "Confirm":
    case "Prove":
    case "Pay": {
      const given = change._tag === "Pay"
        ? { _tag: change._tag, now, paymentIntentId: change.paymentIntentId }
        : { _tag: change._tag, now }
      return booking.status !== "held" || isLive(booking, now)
        ? Either.right({ command: { ...given, placeIsFree: true } })
        : Either.map(roomAt(state, request, booking, booking, answered), (room) => ({
          command: { ...given, placeIsFree: Either.isRight(room) },
          takes: booking
        }))
    }
    case "Move":
      return Either.gen(function*() {
        const { place: to, target: wanted } = yield* destinationOf(state, booking, change.to)
        const given = { _tag: change._tag, now, to }
        // Nothing is asked of a place that it will not go to.
        if (booking.status === "cancelled" || isThere(booking, to)) {
          return { command: { ...given, target: Either.void } }
        }
        const open = offered({ ...placeFactsOf(state, booking), now }, wanted)
        const target = Either.isLeft(open)
          ? Either.left(open.left)
          : yield* roomAt(state, request, booking, to, answered)
        return { command: { ...given, target }, takes: to }
      })
  }
}

/** Whether a place has room when it is asked as if the booking itself were not there. */
const roomAt = (
  state: State.BatchState,
  request: ChangeRequest,
  booking: Booking,
  place: Place,
  answered: Answered | undefined
): Either.Either<Either.Either<void, PlaceRefusal>, ChangedMeanwhile> => {
  const question = questionOf(state, request)
  const use = question && useOf(state, question, answered)
  return use === undefined
    ? Either.left(new ChangedMeanwhile())
    : Either.right(fits(placeFactsOf(state, booking).offering, place, booking.quantity, use))
}

const placeFactsOf = ({ offerings, orgs }: State.BatchState, { offeringId: id, orgId }: Booking) => {
  const offering = offerings.get(State.nameOf({ orgId, id }))
  const zone = orgs.get(orgId)?.zone
  if (offering === undefined || zone === undefined) throw new Error("A booking without its offering or its org.")
  return { offering, zone }
}
