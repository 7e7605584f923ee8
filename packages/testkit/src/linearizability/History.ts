/**
 * What several clients asked of one storage and what they were answered, with
 * the moments of asking and answering in the order in which they came.
 */
import type { Status } from "@trailbook/core/booking/Booking"
import type { Kind } from "@trailbook/core/offering/Offering"

/** Where a booking may be: a session, or a start. */
export interface Place {
  /** The session's id, or the start as it is on the wire. */
  readonly name: string
  readonly startsAt: number
  /** The end of one period. */
  readonly endsAt: number
  readonly capacity: number
}

/** An offering that does not change while the history lasts. */
export interface Offering {
  readonly id: string
  readonly kind: Kind
  readonly bufferMinutes: number
  /** All that can be booked of it on the date that is asked for. */
  readonly places: ReadonlyArray<Place>
}

/**
 * A call. Bookings are named by the wish that they were made for, for their ids
 * are known only once somebody was answered: a wish is what one idempotency key
 * stands for, or a call without a key.
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
  | { readonly _tag: "List"; readonly status: Status | undefined }
  | { readonly _tag: "Availability" }

export interface BookingPlace {
  readonly place: string
  readonly startsAt: number
  readonly endsAt: number
}

/** What a booking looks like from outside. */
export interface Observation extends BookingPlace {
  readonly booking: string
  readonly status: Status
  readonly quantity: number
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly cancelledAt: number | null
  readonly previous: BookingPlace | null
}

/**
 * A booking as it was really answered, with what never changes of it: id,
 * reference, handle, price and guest.
 */
export interface Seen extends Observation {
  readonly id: string
  readonly identity: string
}

export type Answer<Booking extends Observation = Observation> =
  | { readonly _tag: "Booking"; readonly booking: Booking }
  | { readonly _tag: "Bookings"; readonly bookings: ReadonlyArray<Booking> }
  | { readonly _tag: "Slots"; readonly slots: ReadonlyArray<{ readonly place: string; readonly remaining: number }> }
  | { readonly _tag: "Refused"; readonly code: string }

export interface Call {
  readonly client: number
  /** Which server was asked; the only one when left out. */
  readonly server?: number
  readonly operation: Operation
  /** Ticks count what happens in the history: nothing happens at the tick of something else. */
  readonly invoked: number
  readonly returned: number
  /** Undefined when nobody heard it: the call may have done its work, may do it at any later time, or never. */
  readonly answer: Answer<Seen> | undefined
}

/** From this tick on the clock shows this moment: that of a server, or of all. */
export interface ClockSet {
  readonly server?: number
  readonly tick: number
  readonly moment: number
}

/**
 * All calls about one offering. Offerings share no place, no booking moves from
 * one to another, and a key is used for one of them only; so the whole history
 * can be explained if each of these can.
 */
export interface History {
  readonly offering: Offering
  readonly clock: ReadonlyArray<ClockSet>
  readonly calls: ReadonlyArray<Call>
}
