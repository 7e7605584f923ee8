import type { BookingRecord } from "./BookingView.ts"

/**
 * The name of a booking's guest: the name that was typed for the booking, or else the customer's. People who share an
 * email address share a customer, whose name is the last one that was given.
 */
export const guestName = ({ booking, customer }: Pick<BookingRecord, "booking" | "customer">): string =>
  booking.contact?.name || customer.name
