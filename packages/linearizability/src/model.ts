/**
 * A sequential model of the booking engine. It restates the rules for capacity, holds, keys, and moves. It is small
 * enough to review, and it shares no code with core.
 *
 * - A booking is live while it is confirmed, or while it is held and not expired. The live bookings of a session never
 *   occupy more than its seats. For other kinds, the live bookings at any instant, including their buffers, never
 *   occupy more than the capacity.
 * - Time never moves back at a place, regardless of the caller's clock. If a sale ignored a hold because it had
 *   expired, the hold stays expired, and the clock at that place is at or past the hold's expiry.
 * - A start in the past is not offered.
 * - A key creates one booking. Repeating the request returns the booking's current state, and a different request with
 *   the same key is refused.
 * - Refusals are checked in core's order: existence, then the status of the booking, then the place, then the capacity.
 */
import type { Answer, BookingPlace, Observation, Offering, Operation, Place } from "./History.ts"

/** A booking and the request that created it. */
export interface ModelBooking extends Observation {
  readonly periods: number
  readonly wish: string
  /** The place where a sale ignored the expired hold, and the time at which the hold expired. */
  readonly over: { readonly place: string; readonly until: number } | null
}

/** An offering's bookings by name. */
export type State = ReadonlyMap<string, ModelBooking>

export const nothingBooked: State = new Map()

/** The response and the next state. The state is the same object if nothing changed. */
export interface Step {
  readonly answer: Answer
  readonly next: State
}

const minuteMs = 60_000

export const step = (offering: Offering, state: State, operation: Operation, clock: number): Step => {
  const at = (...places: ReadonlyArray<string>) =>
    Math.max(clock, ...places.map((place) => lastExpiry(offering, state, place)))
  switch (operation._tag) {
    case "Book":
      return book(offering, state, operation, at(operation.place))
    case "Get":
      return withBooking(state, operation.booking, (made) => keepState(state, made))
    case "Cancel":
      return withBooking(state, operation.booking, (made) =>
        made.status === "cancelled"
          ? keepState(state, made)
          : putBooking(state, { ...made, status: "cancelled", expiresAt: null, cancelledAt: clock }))
    case "Confirm":
      return withBooking(state, operation.booking, (made) => confirm(offering, state, made, at(made.place)))
    case "Move":
      return withBooking(
        state,
        operation.booking,
        (made) => move(offering, state, made, operation.place, at(made.place, operation.place))
      )
    case "List":
      return {
        answer: {
          _tag: "Bookings",
          bookings: [...state.values()].filter(({ status }) => status === (operation.status ?? status))
        },
        next: state
      }
    case "Availability":
      return {
        answer: {
          _tag: "Slots",
          slots: offering.places.filter(({ startsAt }) => startsAt >= clock).map((place) => ({
            place: place.name,
            remaining: Math.max(0, hasRoom(offering, state, place, whereabouts(place, 1), at(place.name)))
          }))
        },
        next: state
      }
  }
}

const refuse = (state: State, code: string): Step => ({ answer: { _tag: "Refused", code }, next: state })
const keepState = (state: State, booking: ModelBooking): Step => ({ answer: { _tag: "Booking", booking }, next: state })
const putBooking = (state: State, booking: ModelBooking): Step => ({
  answer: { _tag: "Booking", booking },
  next: new Map(state).set(booking.booking, booking)
})

const withBooking = (state: State, booking: string, decide: (made: ModelBooking) => Step): Step => {
  const made = state.get(booking)
  return made === undefined ? refuse(state, "not_found") : decide(made)
}

const placeOf = ({ places }: Offering, name: string): Place | undefined => places.find((place) => place.name === name)

const whereabouts = ({ endsAt, name, startsAt }: Place, periods: number): BookingPlace => ({
  place: name,
  startsAt,
  endsAt: startsAt + periods * (endsAt - startsAt)
})

const book = (
  offering: Offering,
  state: State,
  operation: Extract<Operation, { _tag: "Book" }>,
  now: number
): Step => {
  const { booking, holdMinutes, periods, quantity } = operation
  const wish = `${operation.place} ${quantity} ${periods} ${holdMinutes}`
  const earlier = state.get(booking)
  if (earlier !== undefined) {
    return earlier.wish === wish
      ? keepState(state, earlier)
      : refuse(state, "idempotency_conflict")
  }
  const place = placeOf(offering, operation.place)
  if (place === undefined) return refuse(state, offering.kind === "class" ? "not_found" : "slot_unavailable")
  if (place.startsAt < now) return refuse(state, "slot_unavailable")
  const where = whereabouts(place, periods)
  if (hasRoom(offering, state, place, where, now) < weight(offering, quantity)) return refuse(state, "slot_full")
  return putBooking(overlapping(offering, state, place, where, now), {
    ...where,
    booking,
    wish,
    periods,
    quantity,
    status: holdMinutes === undefined ? "confirmed" : "held",
    createdAt: now,
    expiresAt: holdMinutes === undefined ? null : now + holdMinutes * minuteMs,
    cancelledAt: null,
    previous: null,
    over: null
  })
}

const confirm = (offering: Offering, state: State, made: ModelBooking, now: number): Step => {
  if (made.status === "confirmed") return keepState(state, made)
  if (made.status === "cancelled") return refuse(state, "booking_cancelled")
  const place = placeOf(offering, made.place)
  const free = place !== undefined &&
    hasRoom(offering, state, place, made, now, made.booking) >= weight(offering, made.quantity)
  const confirmed: ModelBooking = { ...made, status: "confirmed", expiresAt: null }
  if (isLive(made, now)) return putBooking(state, confirmed)
  return free
    ? putBooking(overlapping(offering, state, place, made, now, made.booking), confirmed)
    : refuse(state, "hold_expired")
}

const move = (offering: Offering, state: State, made: ModelBooking, to: string, now: number): Step => {
  const place = placeOf(offering, to)
  if (place === undefined && offering.kind === "class") return refuse(state, "not_found")
  if (made.status === "cancelled") return refuse(state, "booking_cancelled")
  if (!isLive(made, now)) return refuse(state, "hold_expired")
  if (made.place === to) return keepState(state, made)
  if (place === undefined || place.startsAt < now) return refuse(state, "slot_unavailable")
  const where = whereabouts(place, made.periods)
  if (hasRoom(offering, state, place, where, now, made.booking) < weight(offering, made.quantity)) {
    return refuse(state, "slot_full")
  }
  const { endsAt, place: left, startsAt } = made
  const after = overlapping(offering, state, place, where, now, made.booking)
  return putBooking(after, { ...made, ...where, previous: { place: left, startsAt, endsAt } })
}

const isLive = ({ expiresAt, status }: ModelBooking, now: number): boolean =>
  status === "confirmed" || (status === "held" && expiresAt !== null && expiresAt > now)

const weight = ({ kind }: Offering, quantity: number): number => kind === "appointment" ? 1 : quantity

/** Returns the unit of capacity: one session of a class, or the entire offering for any other kind. */
const lockOf = ({ kind }: Offering, place: string): string => kind === "class" ? place : ""

/** Returns the latest expiry of a hold that a sale at this place has ignored. */
const lastExpiry = (offering: Offering, state: State, place: string): number =>
  Math.max(
    0,
    ...[...state.values()].map(({ over }) => over?.place === lockOf(offering, place) ? over.until : 0)
  )

/** Marks the expired holds that overlap the booking as ignored. */
const overlapping = (
  offering: Offering,
  state: State,
  { name }: Place,
  { endsAt, startsAt }: Pick<BookingPlace, "startsAt" | "endsAt">,
  now: number,
  except?: string
): State => {
  const buffer = offering.bufferMinutes * minuteMs
  const touches = (made: ModelBooking): boolean =>
    offering.kind === "class"
      ? made.place === name
      : made.startsAt < endsAt + buffer && startsAt < made.endsAt + buffer
  return new Map([...state].map(([booking, made]) => {
    const { expiresAt, over, status } = made
    const isPassed = status === "held" && expiresAt !== null && expiresAt <= now && booking !== except && touches(made)
    if (!isPassed || over !== null) return [booking, made]
    return [booking, { ...made, over: { place: lockOf(offering, name), until: expiresAt } }]
  }))
}

/** Returns the remaining capacity of a place in an interval, excluding one booking. */
const hasRoom = (
  offering: Offering,
  state: State,
  place: Place,
  { endsAt, startsAt }: Pick<BookingPlace, "startsAt" | "endsAt">,
  now: number,
  except?: string
): number => {
  const live = [...state.values()].filter((made) => made.booking !== except && isLive(made, now))
  const sum = (some: ReadonlyArray<ModelBooking>) =>
    some.reduce((sum, { quantity }) => sum + weight(offering, quantity), 0)
  if (offering.kind === "class") return place.capacity - sum(live.filter((made) => made.place === place.name))
  const buffer = offering.bufferMinutes * minuteMs
  const keptAt = (instant: number) =>
    sum(live.filter((made) => made.startsAt <= instant && instant < made.endsAt + buffer))
  // The occupancy increases only at the start of a booking.
  const rises = live.map((made) => made.startsAt).filter((at) => startsAt < at && at < endsAt + buffer)
  return place.capacity - Math.max(...[startsAt, ...rises].map(keptAt))
}
