import type { Booking } from "@trailbook/client/operations"

/** The host application's custom rules. */
export interface BeforeHooks {
  /**
   * Trailbook calls this function for each new booking that passes Trailbook's own rules. The call runs inside the
   * booking transaction, before the commit. To reject the booking, throw the error that `refuse` creates. The call
   * times out after 4 seconds, because other bookings of the same session wait for the transaction's locks. Trailbook
   * can call the function more than once per request. Writes that an earlier call made through `tx` are rolled back.
   */
  readonly bookingCreate?: ((draft: Booking, tx: BookingTransaction) => unknown) | undefined
}

/** The transaction in which the booking is written. */
export interface BookingTransaction {
  /**
   * Runs an SQL statement with values for `$1 … $n` and resolves to its rows. Its writes commit or roll back with the
   * booking. After a failed statement, the booking cannot be created.
   */
  readonly query: (
    text: string,
    values?: ReadonlyArray<string | number | null>
  ) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
}
