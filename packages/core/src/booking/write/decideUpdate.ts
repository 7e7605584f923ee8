import * as Either from "effect/Either"
import * as Decider from "../../Decider.ts"
import { checkStartIsOpen } from "../../offering/closure/Closure.ts"
import { applyDiscountCode, hasUseLeft } from "../../offering/discount/DiscountCode.ts"
import { decideDeskPayment, decideDeskRefund, type DeskEntryChange } from "../../payment/ledger/deskEntry.ts"
import { decideOnlineRefund } from "../../payment/ledger/toOnlineEntries.ts"
import {
  decidePaymentsOnCancel,
  expireOpenPayments,
  makePaymentTasks,
  matchPayment,
  settlePayment
} from "../../payment/online/paymentChanges.ts"
import { notFound, type Refusal, refuse } from "../../Refusal.ts"
import type { Instant } from "../../time/Instant.ts"
import { applyPayments, computeBalance } from "../balance.ts"
import { type Booking, isDiscountUse, isLive, type Place, withUpdatedAt } from "../Booking.ts"
import { type BookingCommand, bookingDecider, type BookingEvent, isAtMoveTarget } from "../BookingDecider.ts"
import type { BookingRecord } from "../BookingView.ts"
import { checkCapacity, getBookingWeight, type PlaceRefusal, type RequestedPlace, resolvePlace } from "../checkPlace.ts"
import { buildEventsAndTasks, makeBookingTask } from "../eventsAndTasks.ts"
import { computeBookingChange, findNewDiscountCode } from "../price/computeChangedPrice.ts"
import * as State from "./BatchState.ts"
import { makeIdSupplier, type RequestWithIds, StaleRead, type UpdateBookingRefusal } from "./BookingRequest.ts"
import {
  computePlaceUsage,
  getUpdateDecisionTime,
  type PlaceOccupancy,
  requireOffering,
  resolveMoveTarget
} from "./occupancy.ts"

type UpdateRequest = Extract<RequestWithIds, { readonly update: unknown }>

type UpdateCommand = Extract<BookingCommand, { readonly _tag: UpdateRequest["update"]["_tag"] }>

/** The command for the booking. `takenPlace` is set if the booking takes a place. */
interface PlannedCommand {
  readonly command: UpdateCommand
  readonly takenPlace?: Place
}

/** Decides an update based on the changes from earlier requests, and adds its own changes to the state. */
export const decideUpdate = (
  state: State.BatchState,
  request: UpdateRequest,
  occupancy: PlaceOccupancy | undefined
): Either.Either<BookingRecord, UpdateBookingRefusal | StaleRead> =>
  Either.gen(function*() {
    const { ids, update } = request
    const lockedRecord = state.bookings.get(State.toRowKey(update.key))
    if (lockedRecord === undefined) return yield* Either.left(notFound("booking", update.key.id))
    const record = State.applyPendingChanges(state, lockedRecord)
    const before = record.booking
    // Only an erased customer has an empty email address. New notes and adjustment names would be personal data about
    // the erased guest, and a restored booking would have no guest.
    if ((update._tag === "Change" || update._tag === "Restore") && record.customer.email === "") {
      return yield* Either.left(refuse("customer_erased"))
    }
    const now = update._tag === "Cancel" ? state.now : getUpdateDecisionTime(state, before, update)
    if (!isLocked(state, request, before, now)) return yield* Either.left(new StaleRead())
    const { command, takenPlace } = yield* planCommand(state, request, before, now, occupancy)
    const outcome = yield* runCommand(state, request, record, command)
    const { events, state: decidedBooking } = outcome.booking
    const storedPayments = state.payments.get(State.toRowKey(before)) ?? []
    const onlineRefund = update._tag === "Refund" && update.method === undefined
      ? yield* decideOnlineRefund(storedPayments, before, update, now)
      : { changes: [], entries: [] }
    const after = applyPayments(decidedBooking, storedPayments, onlineRefund.changes.map(({ state }) => state))
    const deskChange = yield* decideDeskChange(after, update, now)
    const changes = [...outcome.payments, ...onlineRefund.changes]
    // A change to the amount due closes the balance checkout.
    const isDueChanged = before.status === "confirmed" && after.status === "confirmed" &&
      computeBalance(before).dueCents !== computeBalance(deskChange?.booking ?? after).dueCents
    const closedPayments = isDueChanged
      ? expireOpenPayments(storedPayments.filter(({ id }) => changes.every(({ state }) => state.id !== id)))
      : []
    const payments = [...changes, ...closedPayments]
    if (events.length === 0 && payments.length === 0 && deskChange === undefined) return record

    const booking = deskChange?.booking ?? (onlineRefund.entries.length > 0 ? withUpdatedAt(after, now) : after)
    if (events.length > 0 || deskChange !== undefined || onlineRefund.entries.length > 0) {
      State.putBooking(state, before, booking)
    }
    state.changed.entries.push(...onlineRefund.entries)
    if (takenPlace !== undefined) {
      State.recordPlaceUse(state, before, takenPlace, occupancy)
    }
    for (const { state: payment } of payments) State.putPayment(state, payment)
    const newId = makeIdSupplier(ids.taskIds)
    const mail = update._tag === "Cancel" ? update.mail : undefined
    const isMailed = "isMailed" in update ? update.isMailed ?? true : mail !== null
    const cancelMail = mail ?? undefined
    state.effects.push(
      buildEventsAndTasks({ before, after: { ...record, booking: after }, events, now, newId, isMailed, cancelMail })
    )
    // If only the payments change, this is a second payment. The guest is notified that it will be refunded.
    const secondPaymentTasks = events.length === 0 && outcome.payments.length > 0
      ? [makeBookingTask(after, "mail.returned", newId(), now)]
      : []
    state.effects.push({
      events: [],
      tasks: [
        ...secondPaymentTasks,
        ...payments.flatMap((one) => makePaymentTasks(one.state, one.events, { now, newId }))
      ]
    })
    if (deskChange !== undefined) {
      state.changed.entries.push(deskChange.entry)
      state.effects.push({ events: [deskChange.event], tasks: [] })
    }
    return { ...record, booking }
  })

const decideDeskChange = (
  booking: Booking,
  update: UpdateRequest["update"],
  now: Instant
): Either.Either<DeskEntryChange | undefined, Refusal<"amount_too_large">> =>
  update._tag === "Record"
    ? decideDeskPayment(booking, update.money, update.allowsOverpayment, now)
    : update._tag === "Refund" && update.method !== undefined
    ? decideDeskRefund(booking, { ...update.money, method: update.method }, now)
    : Either.right(undefined)

/**
 * Returns whether the required places are locked and the closures are loaded. The booking may have moved or expired
 * since the lookup.
 */
const isLocked = (
  { sessions }: State.BatchState,
  { locksClass, update }: UpdateRequest,
  booking: Booking,
  now: Instant
): boolean => {
  const { orgId, sessionId, status } = booking
  // A canceled booking occupies no place until it is restored.
  if (update._tag === "Cancel" || (status === "cancelled" && update._tag !== "Restore")) return true
  // If there is no session, the offering is always locked.
  const isPlaceLocked = sessionId === null || sessions.has(State.toRowKey({ orgId, id: sessionId }))
  return isPlaceLocked && (locksClass || isLive(booking, now))
}

const planCommand = (
  state: State.BatchState,
  { update }: UpdateRequest,
  booking: Booking,
  now: Instant,
  occupancy: PlaceOccupancy | undefined
): Either.Either<PlannedCommand, PlaceRefusal | StaleRead> => {
  switch (update._tag) {
    case "Cancel":
      return Either.right({ command: { _tag: "Cancel", now, refund: update.refund ?? "full" } })
    case "Confirm":
    case "Prove":
    case "Record":
    case "Pay": {
      const command = update._tag === "Pay"
        ? { _tag: update._tag, now, paymentIntentId: update.paymentIntentId }
        : { _tag: update._tag === "Record" ? "Confirm" as const : update._tag, now }
      return booking.status !== "held" || isLive(booking, now)
        ? Either.right({ command: { ...command, placeIsFree: true } })
        : Either.map(checkCapacityAt(state, booking, booking, now, occupancy), (capacity) => ({
          command: {
            ...command,
            // A session's start can change once all of its bookings are expired holds.
            placeIsFree: Either.isRight(capacity) && isSessionUnmoved(state, booking) &&
              Either.isRight(checkStartIsOpen(requireOffering(state, booking), booking.startsAt))
          },
          takenPlace: booking
        }))
    }
    case "Refund": {
      const isReduced = update.reducesPrice && booking.status === "confirmed"
      const { offering } = requireOffering(state, booking)
      const change = computeBookingChange(booking, isReduced ? { refundedCents: update.money.cents } : {}, offering)
      return Either.right({ command: { _tag: "Change", now, change, target: Either.void } })
    }
    case "Change": {
      const { offering, zone } = requireOffering(state, booking)
      const code = findNewDiscountCode(booking, update.change.discountCode)
      const discount = code === undefined ? Either.right(undefined) : applyDiscountCode(
        State.findDiscountCodeUsage(state, booking.orgId, code),
        { offeringId: offering.id, bookedOn: zone.dateAt(now), startsOn: zone.dateAt(booking.startsAt) }
      )
      const change = Either.flatMap(
        discount,
        (newDiscount) => computeBookingChange(booking, update.change, offering, newDiscount)
      )
      const command = { _tag: update._tag, now, change }
      const newBooking = { ...booking, quantity: Either.isRight(change) ? change.right.quantity ?? 0 : 0 }
      // A smaller party needs no additional capacity, even if the outfitter has lowered the capacity.
      return booking.status === "cancelled" ||
          getBookingWeight(offering, newBooking.quantity) <= getBookingWeight(offering, booking.quantity)
        ? Either.right({ command: { ...command, target: Either.void } })
        : Either.map(checkCapacityAt(state, newBooking, booking, now, occupancy), (target) => ({
          command: { ...command, target },
          takenPlace: booking
        }))
    }
    case "Move":
      return Either.gen(function*() {
        const { place: to, target: requestedPlace } = yield* resolveMoveTarget(state, booking, update.to)
        const command = { _tag: update._tag, now, to, byGuest: update.byGuest ?? false }
        // Skip the target check if the booking will not move.
        if (booking.status === "cancelled" || isAtMoveTarget(booking, to)) {
          return { command: { ...command, target: Either.void } }
        }
        const target = yield* checkAvailability(state, booking, requestedPlace, to, now, occupancy)
        return { command: { ...command, target }, takenPlace: to }
      })
    case "Restore":
      return Either.gen(function*() {
        const command = { _tag: update._tag, now }
        if (booking.status !== "cancelled") return { command: { ...command, target: Either.void } }
        const { sessionId, startsAt } = booking
        const to = sessionId === null ? { sessionId: undefined, startsAt } : { sessionId, startsAt: undefined }
        const { place, target: requestedPlace } = yield* resolveMoveTarget(state, booking, to)
        // The session must still be at the time that the guest booked.
        const target = place.startsAt === startsAt && (sessionId === null || place.endsAt === booking.endsAt)
          ? yield* checkAvailability(state, booking, requestedPlace, booking, now, occupancy)
          : Either.left(refuse("slot_unavailable", "The departure time has changed since the cancellation."))
        return {
          command: { ...command, target: Either.flatMap(target, () => checkCodeUse(state, booking, now)) },
          takenPlace: booking
        }
      })
  }
}

/**
 * Checks whether a restored booking can use its discount code again. The check is needed only if the cancellation gave
 * the use back. A deleted code has no limit.
 */
const checkCodeUse = (
  state: State.BatchState,
  booking: Booking,
  now: Instant
): Either.Either<void, Refusal<"discount_invalid">> => {
  const discount = booking.price?.terms.discount
  const usage = State.findDiscountCodeUsage(state, booking.orgId, discount?.code)
  return usage === undefined || usage.code.id !== discount?.id ||
      isDiscountUse(booking, usage.code.returnsOnCancel, now) || hasUseLeft(usage)
    ? Either.void
    : Either.left(refuse("discount_invalid"))
}

const isSessionUnmoved = ({ sessions }: State.BatchState, { orgId, sessionId, startsAt }: Booking): boolean =>
  sessionId === null || sessions.get(State.toRowKey({ orgId, id: sessionId }))?.startsAt === startsAt

/** Checks whether a place is offered and has capacity, as if the booking itself did not exist. */
const checkAvailability = (
  state: State.BatchState,
  booking: Booking,
  requestedPlace: RequestedPlace,
  place: Place,
  now: Instant,
  occupancy: PlaceOccupancy | undefined
): Either.Either<Either.Either<void, PlaceRefusal>, StaleRead> => {
  const resolvedPlace = resolvePlace({ ...requireOffering(state, booking), now }, requestedPlace)
  return Either.isLeft(resolvedPlace)
    ? Either.right(Either.left(resolvedPlace.left))
    : checkCapacityAt(state, booking, place, now, occupancy)
}

/** Checks a place's capacity as if the booking itself did not exist. */
const checkCapacityAt = (
  state: State.BatchState,
  booking: Booking,
  place: Place,
  now: Instant,
  occupancy: PlaceOccupancy | undefined
): Either.Either<Either.Either<void, Refusal<"slot_full">>, StaleRead> => {
  const usage = occupancy && computePlaceUsage(state, occupancy, place, now)
  return usage === undefined
    ? Either.left(new StaleRead())
    : Either.right(checkCapacity(requireOffering(state, booking).offering, place, booking.quantity, usage))
}

/** Returns the decision for the booking, and the payments that change. */
const runCommand = (
  state: State.BatchState,
  { ids, update }: UpdateRequest,
  record: BookingRecord,
  command: UpdateCommand
) => {
  const { booking } = record
  const payments = state.payments.get(State.toRowKey(booking)) ?? []
  if (update._tag === "Pay" && command._tag === "Pay") {
    const { now, paymentIntentId: intent, placeIsFree } = command
    const report = { intent, paymentId: update.paymentId }
    const payment = matchPayment(record, payments, report, { id: ids.paymentId, now })
    const settlement = settlePayment(booking, payment, { now, intent, placeIsFree })
    const { events, state: after } = settlement.booking
    const changes = settlement.payment.events.length === 0 ? [] : [settlement.payment]
    return Either.right({
      booking: {
        events,
        state: events.length === 0 ? after : applyPayments(after, payments, changes.map(({ state }) => state))
      },
      payments: changes
    })
  }
  // A refund can change only a booking's price, and only if the booking is confirmed.
  if (update._tag === "Refund" && booking.status !== "confirmed") {
    return Either.right({ booking: { events: [], state: booking }, payments: [] })
  }
  const result: Either.Either<Decider.Decision<Booking, BookingEvent>, UpdateBookingRefusal> = Decider.run(
    bookingDecider
  )(booking, command)
  return Either.map(result, (decision) => {
    const { events, state } = decision
    const changes = events.length === 0 || command._tag === "Prove"
      ? []
      : command._tag === "Confirm"
      ? expireOpenPayments(payments)
      : decidePaymentsOnCancel(events, payments, command.now)
    return {
      booking: { events, state: applyPayments(state, payments, changes.map(({ state }) => state)) },
      payments: changes
    }
  })
}
