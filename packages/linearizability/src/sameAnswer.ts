import type { Answer, BookingPlace, Observation } from "./History.ts"
import type { ModelBooking, State } from "./model.ts"

const whereText = ({ endsAt, place, startsAt }: BookingPlace): string => `${place} ${startsAt} ${endsAt}`

const texts = new WeakMap<Observation, string>()

const sightingText = (observation: Observation): string => {
  const cachedText = texts.get(observation)
  if (cachedText !== undefined) return cachedText
  const { booking, cancelledAt, createdAt, expiresAt, previous, quantity, status } = observation
  const before = previous === null ? "" : whereText(previous)
  const text = [booking, status, whereText(observation), quantity, createdAt, expiresAt, cancelledAt, before].join("|")
  texts.set(observation, text)
  return text
}

/**
 * Returns the part of a response that is compared. Lists are compared as sets, because their order is checked
 * elsewhere.
 */
const answerText = (answer: Answer): string => {
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

export const sameAnswer = (a: Answer, b: Answer): boolean => a._tag === b._tag && answerText(a) === answerText(b)

const bookingText = (booking: ModelBooking): string =>
  `${sightingText(booking)}|${booking.wish}|${
    booking.over === null ? "" : `${booking.over.place} ${booking.over.until}`
  }`

/** Encodes a state as a string. Two strings are equal if and only if the states are equal. */
export const stateText = (state: State): string => [...state.values()].map(bookingText).sort().join("\n")
