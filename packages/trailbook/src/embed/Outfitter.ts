import type { Booking, Event, EventType } from "@trailbook/client/operations"
import type { Calls, ResultCalls } from "./Calls.ts"
import type { ExportPart } from "./ExportPart.ts"
import type { HostTransaction, Within } from "./HostTransaction.ts"
import type { On } from "./On.ts"
import type { PaidAmount } from "./Payments.ts"

/**
 * One outfitter's bookings: the operations, under their own names and with what
 * the REST API takes and answers.
 */
export interface Outfitter extends Omit<Calls, "events"> {
  /**
   * What happens, oldest first, as it happens: each event once it is 2 seconds old.
   * It goes on until the signal is aborted, Trailbook is closed, or the loop is
   * left. `events.list` is the operation, a page at a time.
   */
  readonly events: Calls["events"] & ((options?: EventsOptions) => AsyncIterableIterator<Event>)
  /**
   * The export as it is read from the database, some rows of a list at a time, for those whom `org.export` would give
   * more than memory should hold. Take each part within 4 seconds and the whole within 2 minutes; leaving the loop
   * ends it.
   */
  readonly exported: () => AsyncIterableIterator<ExportPart>
  /** Calls a function of yours when something has happened, by the worker: once it is committed, and at least once. */
  readonly on: On
  /** Every operation with a result in place of a rejection. What is broken, and not refused, still rejects. */
  readonly try: ResultCalls
  /**
   * The operations inside a transaction of the program, on Postgres: committed with it, or never there. The
   * transaction has to be under read committed. Do your own work first, then this, then commit: nobody else of the
   * outfitter stores anything in between.
   */
  readonly within: (transaction: HostTransaction) => Within
  /**
   * Reports that a booking was paid online. Safe to repeat. It is for programs with `payments`. Give `cents`,
   * `currency`, and `payment_id` as the provider reports them: money that does not match the request leaves the booking
   * as it is, and the staff are notified.
   */
  readonly paid: (
    payment: PaidAmount & { readonly id: string; readonly payment_intent_id: string }
  ) => Promise<Booking>
  /** The same outfitter for somebody else. What is left out stays as it is. */
  readonly as: (actor: ActorOptions) => Outfitter
}

export interface EventsOptions {
  /** The id of the last event that was seen. 0, the default, starts with the first there ever was. */
  readonly after?: number | undefined
  /** Events of this type alone, such as `booking.confirmed`. */
  readonly type?: EventType | undefined
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait before looking again when there was nothing. 1000 by default. */
  readonly intervalMs?: number | undefined
}

/** Where something is done; it is written on bookings. */
export type Source = "dashboard" | "api" | "mcp" | "widget"

/** What may be done: `admin` covers the outfitter's own settings and its export. */
export type Scope = "read" | "write" | "admin"

export interface ActorOptions {
  /** `api` when nothing is said. */
  readonly source?: Source | undefined
  /** All of them when nothing is said. */
  readonly scopes?: ReadonlyArray<Scope> | undefined
}
