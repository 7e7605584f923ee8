import type { Booking } from "@trailbook/client/operations"

/** Custom rules of the host application. */
export interface Before {
  /**
   * Called with each new booking that passes all of Trailbook's rules, inside the booking transaction, before it
   * commits. Throw the error made by `refuse` to reject the booking. The call times out after 4 seconds, because other
   * bookings of the same session wait for its locks. It can run more than once for one request; the writes through `tx`
   * of an earlier attempt are rolled back.
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
