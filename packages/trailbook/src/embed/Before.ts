import type { Booking } from "@trailbook/client/operations"

/** Rules of the program's own. */
export interface Before {
  /**
   * Asked about every booking that all of Trailbook's own rules would let through, as it would be answered, under the
   * locks of its place. It throws what `refuse` makes to say no. It has 4 seconds, for all who want the same place wait.
   * It may be asked again about the same order; what it wrote through `tx` the first time is undone then.
   */
  readonly bookingCreate?: ((draft: Booking, tx: Transaction) => unknown) | undefined
}

/** The transaction that a booking is written in. */
export interface Transaction {
  /**
   * Runs a statement with values for `$1 … $n` and answers with its rows. What it writes is committed with the booking,
   * or not at all. Once a statement has failed the booking cannot be made any more.
   */
  readonly query: (
    text: string,
    values?: ReadonlyArray<string | number | null>
  ) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
}
