import * as Either from "effect/Either"
import * as Decider from "../../Decider.ts"
import { matchPayment } from "../../payment/online/matchPayment.ts"
import { paymentsOnCancel, paymentsOnConfirm } from "../../payment/online/paymentsOnCancel.ts"
import { paymentTasks } from "../../payment/online/paymentTasks.ts"
import { settlePayment } from "../../payment/online/settlePayment.ts"
import type { Payment } from "../../payment/Payment.ts"
import { notFound } from "../../Refusal.ts"
import type { Instant } from "../../time/Instant.ts"
import { type Booking, isLive, type Place } from "../Booking.ts"
import { type BookingCommand, bookingDecider, type BookingEvent, isThere } from "../BookingDecider.ts"
import type { BookingRecord } from "../BookingView.ts"
import { checkCapacity, type PlaceRefusal, resolvePlace } from "../checkPlace.ts"
import { type EventsAndTasks, eventsAndTasksFor, makeBookingTask } from "../eventsAndTasks.ts"
import { resolveMoveTarget } from "../resolveMoveTarget.ts"
import * as State from "./BatchState.ts"
import type { RequestWithIds } from "./BookingRequest.ts"
import { decisionTimeFor, occupancyQueryFor, type OccupancyResult, usageFor } from "./occupancyQuery.ts"
import { requireGeneratedId } from "./requireGeneratedId.ts"
import { StaleRead } from "./StaleRead.ts"
import type { UpdateBooking, UpdateRefusal } from "./UpdateBooking.ts"

type ChangeRequest = Extract<RequestWithIds, { readonly taskIds: unknown }>

/** The command for the booking, and the place that it newly takes, if any. */
interface Intent {
  readonly command: Exclude<BookingCommand, { readonly _tag: "Place" | "Refunded" | "RefuseRefund" }>
  readonly takes?: Place
}

/**
 * Decides an update, given the changes of earlier requests, and adds its own changes to the state. Its events and tasks
 * are appended to `told`.
 */
export const decideUpdate = (
  state: State.BatchState,
  request: ChangeRequest,
  answered: OccupancyResult | undefined,
  told: Array<EventsAndTasks>
): Either.Either<BookingRecord, UpdateRefusal | StaleRead> =>
  Either.gen(function*() {
    const { change, paymentId, taskIds } = request
    const locked = state.bookings.get(State.rowKey(change.key))
    if (locked === undefined) return yield* Either.left(notFound("booking", change.key.id))
    const record = State.withPendingChanges(state, locked)
    const { booking } = record
    const now = change._tag === "Cancel" ? state.now : decisionTimeFor(state, booking, change)
    if (!isCovered(state, request, booking, now)) return yield* Either.left(new StaleRead())
    const { command, takes } = yield* intentOf(state, request, booking, now, answered)
    const payments = state.payments.get(State.rowKey(booking)) ?? []
    const { booking: { events, state: after }, payments: changes } = change._tag === "Pay" && command._tag === "Pay"
      ? paid(
        record,
        matchPayment(record, payments, reportOf(change), { id: paymentId, now, org: orgOf(state, booking) }),
        command
      )
      : yield* Either.map(run(booking, command), (decided) => ({
        booking: decided,
        payments: decided.events.length === 0
          ? []
          : command._tag === "Prove"
          ? []
          : command._tag === "Confirm"
          ? paymentsOnConfirm(payments)
          : paymentsOnCancel(decided.state, payments, now)
      }))
    if (events.length === 0 && changes.length === 0) return record
    const ids = [...taskIds]
    const newId = () => requireGeneratedId(ids.shift())
    const changed = { ...record, booking: after }
    if (events.length > 0) State.putBooking(state, booking, after)
    if (takes !== undefined) {
      State.recordPlaceUse(state, { orgId: booking.orgId, id: booking.offeringId }, takes, answered?.lapsedAt ?? null)
    }
    for (const { state: payment } of changes) State.putPayment(state, payment)
    const isMailed = change._tag === "Move" || change._tag === "Cancel" ? change.isMailed ?? true : true
    told.push(eventsAndTasksFor({ before: booking, after: changed, events, now, newId, isMailed }))
    // If the payments change and the booking does not, the payment is a second one. The guest is notified that it is
    // refunded.
    const second = events.length === 0 ? [makeBookingTask(after, "mail.returned", newId(), now)] : []
    told.push({
      events: [],
      tasks: [...second, ...changes.flatMap((one) => paymentTasks(one.state, one.events, { now, newId }))]
    })
    return changed
  })

const reportOf = ({ paymentId, paymentIntentId: intent }: Extract<UpdateBooking, { readonly _tag: "Pay" }>) => ({
  intent,
  paymentId
})

const paid = ({ booking }: BookingRecord, payment: Payment, { now, paymentIntentId: intent, placeIsFree }: Pay) => {
  const settled = settlePayment(booking, payment, { now, intent, placeIsFree })
  return { booking: settled.booking, payments: settled.payment.events.length === 0 ? [] : [settled.payment] }
}

type Pay = Extract<BookingCommand, { readonly _tag: "Pay" }>

const orgOf = ({ orgs }: State.BatchState, { orgId }: Booking) => {
  const known = orgs.get(orgId)
  if (known === undefined) throw new Error("A booking without its org.")
  return known.org
}

/** Runs any command; the union of all refusals is enough here. */
const run = (
  booking: Booking,
  command: Intent["command"]
): Either.Either<Decider.Decision<Booking, BookingEvent>, UpdateRefusal> =>
  Decider.run(bookingDecider)(booking, command)

/** Whether the required places are locked. The booking can have moved or expired since it was looked up. */
const isCovered = (
  { sessions }: State.BatchState,
  { change, locksClass }: ChangeRequest,
  booking: Booking,
  now: Instant
): boolean => {
  const { orgId, sessionId, status } = booking
  // A canceled booking takes no place. Without a session, the offering is always locked.
  if (change._tag === "Cancel" || status === "cancelled" || sessionId === null) return true
  return sessions.has(State.rowKey({ orgId, id: sessionId })) && (locksClass || isLive(booking, now))
}

const intentOf = (
  state: State.BatchState,
  request: ChangeRequest,
  booking: Booking,
  now: Instant,
  answered: OccupancyResult | undefined
): Either.Either<Intent, PlaceRefusal | StaleRead> => {
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
        const { place: to, target: wanted } = yield* resolveMoveTarget(state, booking, change.to)
        const given = { _tag: change._tag, now, to }
        // Skip the target check if the booking will not move.
        if (booking.status === "cancelled" || isThere(booking, to)) {
          return { command: { ...given, target: Either.void } }
        }
        const open = resolvePlace({ ...placeFactsOf(state, booking), now }, wanted)
        const target = Either.isLeft(open)
          ? Either.left(open.left)
          : yield* roomAt(state, request, booking, to, answered)
        return { command: { ...given, target }, takes: to }
      })
  }
}

/** Checks the capacity of a place as if the booking itself did not exist. */
const roomAt = (
  state: State.BatchState,
  request: ChangeRequest,
  booking: Booking,
  place: Place,
  answered: OccupancyResult | undefined
): Either.Either<Either.Either<void, PlaceRefusal>, StaleRead> => {
  const question = occupancyQueryFor(state, request)
  const use = question && usageFor(state, question, answered)
  return use === undefined
    ? Either.left(new StaleRead())
    : Either.right(checkCapacity(placeFactsOf(state, booking).offering, place, booking.quantity, use))
}

const placeFactsOf = ({ offerings, orgs }: State.BatchState, { offeringId: id, orgId }: Booking) => {
  const offering = offerings.get(State.rowKey({ orgId, id }))
  const zone = orgs.get(orgId)?.zone
  if (offering === undefined || zone === undefined) throw new Error("A booking without its offering or its org.")
  return { offering, zone }
}
