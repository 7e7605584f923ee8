/** The calls and responses of several clients, in the order they occurred. */
import type { BookingStatus } from "@trailbook/core/booking"
import type { OfferingKind } from "@trailbook/core/offering/Offering"

/** A bookable place: a session or a start time. */
export interface BookablePlace {
  /** The session's ID, or the start in wire format. */
  readonly name: string
  readonly startsAt: number
  readonly endsAt: number
  readonly capacity: number
}

/** An offering that does not change during the history. */
export interface Offering {
  readonly id: string
  readonly kind: OfferingKind
  readonly bufferMinutes: number
  /** All bookable places on the queried date. */
  readonly places: ReadonlyArray<BookablePlace>
}

/**
 * An operation and its input. The operation refers to a booking by the request that created it, because the ID is known
 * only after a response. A request is identified by its idempotency key, and each call without a key is a separate
 * request.
 */
export type Operation =
  | {
    readonly _tag: "Book"
    readonly booking: string
    readonly place: string
    readonly quantity: number
    readonly periods: number
    readonly holdMinutes: number | undefined
  }
  | { readonly _tag: "Confirm" | "Cancel" | "Get"; readonly booking: string }
  | { readonly _tag: "Move"; readonly booking: string; readonly place: string }
  | { readonly _tag: "List"; readonly status: BookingStatus | undefined }
  | { readonly _tag: "Availability" }

export interface BookingPlace {
  readonly place: string
  readonly startsAt: number
  readonly endsAt: number
}

/** A booking as clients see it. */
export interface BookingObservation extends BookingPlace {
  readonly booking: string
  readonly status: BookingStatus
  readonly quantity: number
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly cancelledAt: number | null
  readonly previous: BookingPlace | null
}

/** A booking from an actual response, with its immutable fields: ID, reference, handle, price, and customer. */
export interface ObservedBooking extends BookingObservation {
  readonly id: string
  readonly identity: string
}

export type CallResult<Booking extends BookingObservation = BookingObservation> =
  | { readonly _tag: "Booking"; readonly booking: Booking }
  | { readonly _tag: "Bookings"; readonly bookings: ReadonlyArray<Booking> }
  | { readonly _tag: "Slots"; readonly slots: ReadonlyArray<{ readonly place: string; readonly remaining: number }> }
  | { readonly _tag: "Refused"; readonly code: string }

export interface RecordedCall {
  readonly client: number
  /** The server that was called. Defaults to the only server. */
  readonly server?: number
  readonly operation: Operation
  /**
   * The ticks of the request and the response. Every request, response, and clock change in a history has its own tick.
   */
  readonly invoked: number
  readonly returned: number
  /**
   * The response. Undefined if the client received none. In that case, the call can take effect at any time after the
   * request, or never.
   */
  readonly answer: CallResult<ObservedBooking> | undefined
}

/** From this tick on, the given server's clock, or every clock if no server is given, shows this instant. */
export interface ClockChange {
  readonly server?: number
  readonly tick: number
  readonly moment: number
}

/**
 * All calls that concern one offering. Offerings share no places, bookings do not move between offerings, and each key
 * is used for only one offering. A complete history is therefore explainable if each offering's history is.
 */
export interface History {
  readonly offering: Offering
  readonly clock: ReadonlyArray<ClockChange>
  readonly calls: ReadonlyArray<RecordedCall>
}

/** Returns the bookings in a response. */
export const listObservedBookings = ({ answer }: RecordedCall): ReadonlyArray<ObservedBooking> => {
  if (answer?._tag === "Booking") return [answer.booking]
  return answer?._tag === "Bookings" ? answer.bookings : []
}

/** Returns the names of the bookings that a call or its response concerns. */
export const listBookingNames = (call: RecordedCall): ReadonlyArray<string> => [
  ..."booking" in call.operation ? [call.operation.booking] : [],
  ...listObservedBookings(call).map(({ booking }) => booking)
]
