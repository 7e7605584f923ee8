import type { Booking, Event, EventType, Operation, Operations, OrgExport } from "@trailbook/client/operations"
import type { Result } from "@trailbook/client/TrailbookError"
import type { EventSubscriber } from "./hook/EventSubscriber.ts"
import type { PaidAmount } from "./service/Payments.ts"
import type { HostTransaction, TransactionOperations } from "./transaction/HostTransaction.ts"

/** The operations for one outfitter, with the names, inputs, and results of the REST API. */
export interface Outfitter extends Omit<OperationMethods, "events"> {
  /**
   * Streams events in order, 2 seconds after they happen. The iteration ends when the signal is aborted, Trailbook is
   * closed, or the loop exits. For a single page, call `events.list`.
   */
  readonly events: OperationMethods["events"] & ((options?: EventsOptions) => AsyncIterableIterator<Event>)
  /**
   * Streams the export from the database in parts. Use it if the result of `org.export` is too large to fit in memory.
   * Consume each part within 4 seconds and the whole export within 2 minutes. Leaving the loop ends the export.
   */
  readonly exported: () => AsyncIterableIterator<ExportPart>
  /** Registers a handler for committed events. The worker calls it at least once for each event. */
  readonly on: EventSubscriber
  /**
   * The same operations, but they resolve to a `Result` instead of rejecting when refused. Unexpected errors still
   * reject.
   */
  readonly try: ResultOperationMethods
  /**
   * Returns operations that run inside the host application's Postgres transaction. Their writes commit or roll back
   * with the transaction. The transaction must use the read committed isolation level. Call these operations last,
   * right before the commit, because they block the outfitter's other writes until the transaction ends. Throws a
   * `TypeError` on SQLite or if the argument is not a transaction.
   */
  readonly within: (transaction: HostTransaction) => TransactionOperations
  /**
   * Reports that a booking was paid online. The call is idempotent and requires the `payments` option. Pass `cents`,
   * `currency`, and `payment_id` as the provider reports them. If the payment does not match the request, the booking
   * remains unchanged and Trailbook notifies the staff.
   */
  readonly paid: (
    payment: PaidAmount & { readonly id: string; readonly payment_intent_id: string }
  ) => Promise<Booking>
  /** Returns the same outfitter with a different source or scopes. Omitted fields keep their values. */
  readonly as: (actor: ActorOptions) => Outfitter
}

export interface EventsOptions {
  /** Return only events after this event ID. Default: 0, which returns the entire history. */
  readonly after?: number | undefined
  /** Return only events of this type, such as `booking.confirmed`. */
  readonly type?: EventType | undefined
  /** Ends the iteration when aborted. */
  readonly signal?: AbortSignal | undefined
  /** The poll interval in milliseconds when there are no new events. Default: 1000. */
  readonly intervalMs?: number | undefined
}

/** A request's channel, which is stored on bookings. */
export type Source = "dashboard" | "api" | "mcp" | "widget"

/** A permission. `admin` covers the outfitter's settings and export. */
export type Scope = "read" | "write" | "admin"

export interface ActorOptions {
  /** Default: `api`. */
  readonly source?: Source | undefined
  /** Default: all scopes. */
  readonly scopes?: ReadonlyArray<Scope> | undefined
}

/**
 * Every operation as a method that returns a promise. The promise rejects with a `TrailbookError` if the operation is
 * refused.
 */
export type OperationMethods = {
  readonly [Group in keyof Operations]: {
    readonly [Name in keyof Operations[Group]]: Call<Operations[Group][Name], false>
  }
}

/**
 * Every operation as a method that returns a promise of a `Result`. The promise does not reject if the operation is
 * refused.
 */
export type ResultOperationMethods = {
  readonly [Group in keyof Operations]: {
    readonly [Name in keyof Operations[Group]]: Call<Operations[Group][Name], true>
  }
}

type Call<Op, Tried extends boolean> = Op extends Operation<infer Input, infer Output>
  ? CallOf<Input, Tried extends true ? Result<Output> : Output>
  : never

// The input is optional if all of its fields are optional.
type CallOf<Input, Answer> = {} extends Input ? (input?: Input) => Promise<Answer>
  : (input: Input) => Promise<Answer>

/**
 * A part of an export. It contains some rows of a list, or the value of another field. Parts arrive in field order, and
 * rows arrive in list order.
 */
export type ExportPart = {
  readonly [Name in keyof OrgExport]: OrgExport[Name] extends ReadonlyArray<infer Row>
    ? { readonly name: Name; readonly rows: ReadonlyArray<Row> }
    : { readonly name: Name; readonly value: OrgExport[Name] }
}[keyof OrgExport]
