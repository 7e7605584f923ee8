import * as Event from "../port/Event.ts"
import { BookingView } from "./BookingView.ts"

export const bookingEvents = [
  Event.make("booking.held", {
    data: BookingView,
    when: "A spot is held while the guest decides or pays, until `expires_at`."
  }),
  Event.make("booking.confirmed", {
    data: BookingView,
    when: "A confirmed booking is created, a hold is confirmed or paid, or a cancellation is undone."
  }),
  Event.make("booking.moved", {
    data: BookingView,
    when: "A booking is moved to another time for the same offering.",
    extraData: "`previous`, the time before the move"
  }),
  Event.make("booking.updated", {
    data: BookingView,
    when: "A booking's party, extras, adjustments, notes, or metadata change."
  }),
  Event.make("booking.cancelled", {
    data: BookingView,
    when: "A booking is canceled individually, with its session or offering, or by the service 24 hours after its " +
      "hold expires."
  }),
  Event.make("booking.checked_in", {
    data: BookingView,
    when: "Guests on a booking are checked in, or the number of guests who arrived changes."
  }),
  Event.make("booking.no_show", {
    data: BookingView,
    when: "A booking is marked as a no-show. It is not canceled."
  }),
  Event.make("booking.attendance_cleared", {
    data: BookingView,
    when:
      "A check-in or no-show is undone. A move or cancellation also clears the attendance, but does not emit this event."
  })
] as const
