import type { Booking } from "@trailbook/client/operations"

/** The host application's custom rules. */
export interface Before {
  /**
   * Trailbook calls this function with each new booking that passes all of its own rules, inside the booking
   * transaction, before the commit. To reject the booking, throw the error that `refuse` makes. The call times out
   * after 4 seconds, because other bookings of the same session wait for its locks. It can run more than once per
   * request. Writes that an earlier attempt made through `tx` are rolled back.
   */
  readonly bookingCreate?: ((draft: Booking, tx: Transaction) => unknown) | undefined
}

/** The transaction that the booking is written in. */
export interface Transaction {
  /**
   * Runs an SQL statement with values for `$1 … $n` and resolves to its rows. Its writes commit or roll back with the
   * booking. After a failed statement, the booking cannot be created.
   */
  readonly query: (
    text: string,
    values?: ReadonlyArray<string | number | null>
  ) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
}
