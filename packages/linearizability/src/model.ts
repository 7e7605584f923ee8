/**
 * A sequential model of the booking engine. It restates the rules for capacity, holds, keys, and moves. It is small
 * enough to review, and it shares no code with core.
 *
 * - A booking is live while it is confirmed, or while it is held and not expired. The live bookings of a session never
 *   occupy more seats than it has. For other kinds, the live bookings at any instant, including their buffers, never
 *   occupy more than the capacity.
 * - Time never moves back at a place, regardless of the caller's clock. If a sale ignored a hold because it had
 *   expired, the hold stays expired, and the clock at that place is at or past the hold's expiry.
 * - A start in the past is not offered.
 * - A key creates one booking. Repeating the request returns the booking's current state, and a different request with
 *   the same key is refused.
 * - Refusals are checked in core's order: existence, then the status of the booking, then the place, then the capacity.
 */
import type { BookablePlace, BookingObservation, BookingPlace, CallResult, Offering, Operation } from "./History.ts"

/** A booking and the request that created it. */
interface ModelBooking extends BookingObservation {
  readonly periods: number
  readonly wish: string
  /** The place where a sale ignored the expired hold, and when the hold expired. */
  readonly over: { readonly place: string; readonly until: number } | null
}

/** An offering's bookings by name. */
export type ModelState = ReadonlyMap<string, ModelBooking>

export const emptyState: ModelState = new Map()

/** The response and the next state. The state is the same object if nothing changed. */
interface Step {
  readonly answer: CallResult
  readonly next: ModelState
}

const minuteMs = 60_000

export const applyOperation = (offering: Offering, state: ModelState, operation: Operation, clock: number): Step => {
  const timeAt = (...places: ReadonlyArray<string>) =>
    Math.max(clock, ...places.map((place) => lastExpiry(offering, state, place)))
  if (operation._tag === "Book") return book(offering, state, operation, timeAt(operation.place))
  if (operation._tag === "List") {
    const bookings = [...state.values()].filter(({ status }) => status === (operation.status ?? status))
    return { answer: { _tag: "Bookings", bookings }, next: state }
  }
  if (operation._tag === "Availability") {
    const slots = offering.places.filter(({ startsAt }) => startsAt >= clock).map((place) => {
      const remaining = remainingCapacity(offering, state, place, toBookingPlace(place, 1), timeAt(place.name))
      return { place: place.name, remaining: Math.max(0, remaining) }
    })
    return { answer: { _tag: "Slots", slots }, next: state }
  }
  const booking = state.get(operation.booking)
  if (booking === undefined) return refuse(state, "not_found")
  switch (operation._tag) {
    case "Get":
      return keepState(state, booking)
    case "Cancel":
      return booking.status === "cancelled"
        ? keepState(state, booking)
        : putBooking(state, { ...booking, status: "cancelled", expiresAt: null, cancelledAt: clock })
    case "Confirm":
      return confirm(offering, state, booking, timeAt(booking.place))
    case "Move":
      return move(offering, state, booking, operation.place, timeAt(booking.place, operation.place))
  }
}

const refuse = (state: ModelState, code: string): Step => ({ answer: { _tag: "Refused", code }, next: state })
const keepState = (state: ModelState, booking: ModelBooking): Step => ({
  answer: { _tag: "Booking", booking },
  next: state
})
const putBooking = (state: ModelState, booking: ModelBooking): Step =>
  keepState(new Map(state).set(booking.booking, booking), booking)

/** Stores a booking that takes additional capacity at a place, or refuses it if the place is full. */
const occupy = (
  offering: Offering,
  state: ModelState,
  place: BookablePlace,
  booking: ModelBooking,
  now: number,
  refusal: string
): Step =>
  remainingCapacity(offering, state, place, booking, now) < weight(offering, booking.quantity)
    ? refuse(state, refusal)
    : putBooking(ignoreExpired(offering, state, place, booking, now), booking)

const findPlace = ({ places }: Offering, name: string): BookablePlace | undefined =>
  places.find((place) => place.name === name)

const toBookingPlace = ({ endsAt, name, startsAt }: BookablePlace, periods: number): BookingPlace => ({
  place: name,
  startsAt,
  endsAt: startsAt + periods * (endsAt - startsAt)
})

const book = (
  offering: Offering,
  state: ModelState,
  operation: Extract<Operation, { _tag: "Book" }>,
  now: number
): Step => {
  const { booking, holdMinutes, periods, quantity } = operation
  const wish = `${operation.place} ${quantity} ${periods} ${holdMinutes}`
  const existing = state.get(booking)
  if (existing !== undefined) {
    return existing.wish === wish
      ? keepState(state, existing)
      : refuse(state, "idempotency_conflict")
  }
  const place = findPlace(offering, operation.place)
  if (place === undefined) return refuse(state, offering.kind === "class" ? "not_found" : "slot_unavailable")
  if (place.startsAt < now) return refuse(state, "slot_unavailable")
  const newBooking: ModelBooking = {
    ...toBookingPlace(place, periods),
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
  }
  return occupy(offering, state, place, newBooking, now, "slot_full")
}

const confirm = (offering: Offering, state: ModelState, booking: ModelBooking, now: number): Step => {
  if (booking.status === "confirmed") return keepState(state, booking)
  if (booking.status === "cancelled") return refuse(state, "booking_cancelled")
  const confirmedBooking: ModelBooking = { ...booking, status: "confirmed", expiresAt: null }
  if (isLive(booking, now)) return putBooking(state, confirmedBooking)
  const place = findPlace(offering, booking.place)
  return place === undefined
    ? refuse(state, "hold_expired")
    : occupy(offering, state, place, confirmedBooking, now, "hold_expired")
}

const move = (offering: Offering, state: ModelState, booking: ModelBooking, to: string, now: number): Step => {
  const place = findPlace(offering, to)
  if (place === undefined && offering.kind === "class") return refuse(state, "not_found")
  if (booking.status === "cancelled") return refuse(state, "booking_cancelled")
  if (!isLive(booking, now)) return refuse(state, "hold_expired")
  if (booking.place === to) return keepState(state, booking)
  if (place === undefined || place.startsAt < now) return refuse(state, "slot_unavailable")
  const { endsAt, place: oldPlace, startsAt } = booking
  const movedBooking = {
    ...booking,
    ...toBookingPlace(place, booking.periods),
    previous: { place: oldPlace, startsAt, endsAt }
  }
  return occupy(offering, state, place, movedBooking, now, "slot_full")
}

const isLive = ({ expiresAt, status }: ModelBooking, now: number): boolean =>
  status === "confirmed" || (status === "held" && expiresAt !== null && expiresAt > now)

const weight = ({ kind }: Offering, quantity: number): number => kind === "appointment" ? 1 : quantity

/** Returns the unit of capacity: one session of a class, or the entire offering for any other kind. */
const capacityUnit = ({ kind }: Offering, place: string): string => kind === "class" ? place : ""

/** Returns the latest expiry among the holds that sales at this place have ignored. */
const lastExpiry = (offering: Offering, state: ModelState, place: string): number =>
  Math.max(
    0,
    ...[...state.values()].map(({ over }) => over?.place === capacityUnit(offering, place) ? over.until : 0)
  )

/** Marks the other expired holds that overlap the booking as ignored. */
const ignoreExpired = (
  offering: Offering,
  state: ModelState,
  { name }: BookablePlace,
  { booking: except, endsAt, startsAt }: ModelBooking,
  now: number
): ModelState => {
  const buffer = offering.bufferMinutes * minuteMs
  const overlaps = (booking: ModelBooking): boolean =>
    offering.kind === "class"
      ? booking.place === name
      : booking.startsAt < endsAt + buffer && startsAt < booking.endsAt + buffer
  return new Map([...state].map(([key, booking]) => {
    const { expiresAt, over, status } = booking
    const isExpired = status === "held" && expiresAt !== null && expiresAt <= now && key !== except && overlaps(booking)
    if (!isExpired || over !== null) return [key, booking]
    return [key, { ...booking, over: { place: capacityUnit(offering, name), until: expiresAt } }]
  }))
}

/** Returns the remaining capacity of a place in a booking's interval, without the booking. */
const remainingCapacity = (
  offering: Offering,
  state: ModelState,
  place: BookablePlace,
  { booking: except, endsAt, startsAt }: Pick<BookingPlace, "startsAt" | "endsAt"> & { readonly booking?: string },
  now: number
): number => {
  const live = [...state.values()].filter((booking) => booking.booking !== except && isLive(booking, now))
  const sum = (bookings: ReadonlyArray<ModelBooking>) =>
    bookings.reduce((sum, { quantity }) => sum + weight(offering, quantity), 0)
  if (offering.kind === "class") return place.capacity - sum(live.filter((booking) => booking.place === place.name))
  const buffer = offering.bufferMinutes * minuteMs
  const occupancyAt = (instant: number) =>
    sum(live.filter((booking) => booking.startsAt <= instant && instant < booking.endsAt + buffer))
  // Occupancy increases only at the start of a booking.
  const increases = live.map((booking) => booking.startsAt).filter((at) => startsAt < at && at < endsAt + buffer)
  return place.capacity - Math.max(...[startsAt, ...increases].map(occupancyAt))
}

const whereText = ({ endsAt, place, startsAt }: BookingPlace): string => `${place} ${startsAt} ${endsAt}`

const texts = new WeakMap<BookingObservation, string>()

const sightingText = (observation: BookingObservation): string => {
  const cachedText = texts.get(observation)
  if (cachedText !== undefined) return cachedText
  const { booking, cancelledAt, createdAt, expiresAt, previous, quantity, status } = observation
  const before = previous === null ? "" : whereText(previous)
  const text = [booking, status, whereText(observation), quantity, createdAt, expiresAt, cancelledAt, before].join("|")
  texts.set(observation, text)
  return text
}

/** Returns the part of a response to compare. Lists are compared as sets, because their order is checked elsewhere. */
const answerText = (answer: CallResult): string => {
  switch (answer._tag) {
    case "Booking":
      return sightingText(answer.booking)
    case "Bookings":
      return answer.bookings.map(sightingText).sort().join("\n")
    case "Slots":
      return answer.slots.map(({ place, remaining }) => `${place} ${remaining}`).sort().join("\n")
    case "Refused":
      return answer.code
  }
}

export const isSameResult = (a: CallResult, b: CallResult): boolean =>
  a._tag === b._tag && answerText(a) === answerText(b)

const bookingText = (booking: ModelBooking): string =>
  `${sightingText(booking)}|${booking.wish}|${
    booking.over === null ? "" : `${booking.over.place} ${booking.over.until}`
  }`

/** Encodes a state as a string. Two strings are equal if and only if the states are equal. */
export const encodeState = (state: ModelState): string => [...state.values()].map(bookingText).sort().join("\n")
