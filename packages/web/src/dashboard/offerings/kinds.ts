import type { Kind } from "@trailbook/core/offering/Offering"

/**
 * The kinds of offering as outfitters speak of them.
 *
 * @category constants
 */
export const kinds: {
  readonly [Of in Kind]: {
    readonly name: string
    readonly words: string
    readonly example: string
    readonly length: string
    readonly capacity: string
    readonly most: string
    readonly price: string
  }
} = {
  class: {
    name: "Departures with seats",
    words: "You set the dates and times. Guests book seats.",
    example: "A raft trip, a guided tour, a course",
    length: "How long it takes",
    capacity: "Seats in a departure",
    most: "Most seats in one booking",
    price: "Price for a seat"
  },
  appointment: {
    name: "By appointment",
    words: "You set your weekly hours. Guests choose a start, and it is theirs alone.",
    example: "A private guide, a lesson, a charter",
    length: "How long it takes",
    capacity: "Bookings at the same time",
    most: "Most people in one booking",
    price: "Price for a booking"
  },
  rental: {
    name: "Rental",
    words: "You set your weekly hours and how many you have. Guests take some for a time.",
    example: "Kayaks, bikes, skis",
    length: "What is priced",
    capacity: "How many you have",
    most: "Most items in one booking",
    price: "Price for an item and period"
  }
}

/**
 * @category guards
 */
export const isKind = (text: string | undefined): text is Kind => text !== undefined && Object.hasOwn(kinds, text)
