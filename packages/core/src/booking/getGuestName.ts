import type { BookingRecord } from "./BookingView.ts"

/**
 * Returns the name entered for the booking, or else the customer's name. People with the same email address share a
 * customer record, which has the most recently entered name.
 */
export const getGuestName = ({ booking, customer }: Pick<BookingRecord, "booking" | "customer">): string =>
  booking.contact?.name || customer.name

/** Returns the phone number entered for the booking, or else the customer's phone number. */
export const getGuestPhone = ({ booking, customer }: Pick<BookingRecord, "booking" | "customer">): string =>
  booking.contact?.phone || customer.phone
