/**
 * Creates and updates all bookings. A request takes one of three routes:
 *
 * - **Enqueue** (the default): concurrent requests share a transaction. Each request gets its own result, so a refusal
 *   does not affect the other requests.
 * - **Run alone**: batches are off, or the host has a hook and the request is an update. With a hook, each create is
 *   queued in its own batch, so the hook's result and duration affect only requests for the same place. In a batch, an
 *   update could block all other requests while it waits for a place that the hook keeps locked.
 * - **Run in the enclosing transaction** (`TransactionContext`): a batch runs in its own transaction, which could wait
 *   for the enclosing transaction forever.
 *
 * A submission runs at most 24 transactions. `executeBatch` explains this number. `Bookings` submits a create at most
 * twice (`createWithPaymentCheck`).
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as KeyedBatcher from "../../concurrency/KeyedBatcher.ts"
import { bookingBatchSize, bookingBatchWait, bookingsTotal, toBookingLabels } from "../../port/telemetry.ts"
import { TransactionContext, UnitOfWork } from "../../port/UnitOfWork.ts"
import type { HostRefusalCode, Refusal } from "../../Refusal.ts"
import { currentTime } from "../../time/currentTime.ts"
import type { BookingRecord } from "../BookingView.ts"
import type { CreateBookingRefusal, CreateBookingRequest, PaymentStatusRequired } from "../createBooking.ts"
import { makeBookingLocator } from "./BookingLocator.ts"
import {
  type BookingRequest,
  getBatchKeys,
  type UpdateBookingRefusal,
  type UpdateBookingRequest
} from "./BookingRequest.ts"
import { makeExecuteBatch } from "./executeBatch.ts"

/** The batch options, which depend on the storage. */
export type BatchOptions = KeyedBatcher.BatchOptions

export class BookingWriter extends Context.Tag("@trailbook/core/BookingWriter")<
  BookingWriter,
  {
    /** Creates one booking per idempotency key. If payment may be due, the request must contain the payment account. */
    readonly create: (
      request: CreateBookingRequest
    ) => Effect.Effect<BookingRecord, CreateBookingRefusal | PaymentStatusRequired | HookRefusal>
    /** Updates one booking. A repeated update changes nothing. */
    readonly update: <Tag extends UpdateBookingRequest["_tag"]>(
      update: Extract<UpdateBookingRequest, { readonly _tag: Tag }>
    ) => Effect.Effect<BookingRecord, UpdateBookingRefusal<Tag>>
  }
>() {
  /** With `none`, every request runs alone, and only the storage locks separate concurrent requests. */
  static readonly layer = (batches: BatchOptions | "none") => Layer.scoped(BookingWriter, make(batches))

  /** Runs the host's hook for each new booking. */
  static readonly layerWithHook = (batches: BatchOptions | "none") =>
    Layer.scoped(BookingWriter, Effect.flatMap(BookingCreateHook, (hook) => make(batches, hook)))
}

const make = (batchOptions: BatchOptions | "none", hook?: BookingCreateHook["Type"]) =>
  Effect.gen(function*() {
    const { assertCanWait } = yield* UnitOfWork
    const { find, findCached, remember } = yield* makeBookingLocator
    const { executeBatch, executeOne } = yield* makeExecuteBatch(find, hook?.admit)
    const batcher = batchOptions === "none" ? undefined : yield* KeyedBatcher.make({
      ...(hook === undefined ? batchOptions : { concurrency: batchOptions.concurrency, maxBatchSize: 1 }),
      run: executeBatch,
      onStart: (waitedSeconds) => {
        bookingBatchSize.unsafeUpdate(waitedSeconds.length, [])
        for (const seconds of waitedSeconds) bookingBatchWait.unsafeUpdate(seconds, [])
      }
    })
    const updateBatcher = hook === undefined ? batcher : undefined

    const enqueue = (queue: NonNullable<typeof batcher>, request: BookingRequest) =>
      Effect.tap(
        queue.submit(getBatchKeys(request), request),
        ({ booking }) => Effect.sync(() => remember(booking))
      )
    const create = (create: CreateBookingRequest) =>
      Effect.flatMap(TransactionContext, (transaction) =>
        batcher === undefined || transaction !== undefined
          ? executeOne({ create })
          : Effect.zipRight(assertCanWait, enqueue(batcher, { create })))
    const update = (update: UpdateBookingRequest) =>
      Effect.gen(function*() {
        const queue = (yield* TransactionContext) === undefined ? updateBatcher : undefined
        if (queue !== undefined) yield* assertCanWait
        const location = yield* (queue === undefined ? find : findCached)(update.key)
        const locksClass = update._tag === "Change" || location.expiresAt === null ||
          location.expiresAt <= (yield* currentTime)
        const request = { update, location, locksClass }
        return yield* queue === undefined ? executeOne(request) : enqueue(queue, request)
      })

    return BookingWriter.of({
      // The casts are safe, because a request fails only with the errors for its kind, regardless of other requests in
      // its batch.
      create: (request) =>
        Effect.catchTag(countBooking("create", create(request)), "HookDefect", ({ defect }) =>
          Effect.die(defect)) as Effect.Effect<
            BookingRecord,
            CreateBookingRefusal | PaymentStatusRequired | HookRefusal
          >,
      update: (request) =>
        countBooking(request._tag.toLowerCase(), update(request)) as Effect.Effect<BookingRecord>
    })
  })

const countBooking = <E, R>(operation: string, write: Effect.Effect<BookingRecord, E, R>) =>
  Effect.onExit(
    write,
    (exit) => Effect.sync(() => bookingsTotal.unsafeUpdate(1, toBookingLabels(operation, statusOf(exit))))
  )

const statusOf = (exit: Exit.Exit<BookingRecord, unknown>): string =>
  Exit.isSuccess(exit) ? exit.value.booking.status : Cause.isFailure(exit.cause) ? "refused" : "failed"

/**
 * The error for a hook that throws or fails unexpectedly, and would fail the same way on a retry. The booking is not
 * stored, and the caller gets an internal error.
 */
export class HookDefect extends Data.TaggedError("HookDefect")<{
  /** The original error, rethrown as a defect. */
  readonly defect: unknown
}> {}

export type HookRefusal = Refusal<HostRefusalCode | "unavailable">

/**
 * The host application's rule for new bookings. The hook runs after all of Trailbook's own rules have passed.
 *
 * The hook runs inside the transaction, while the place is locked. The booking, its guest, and its tasks are already
 * written, but its event is not. Rows that the hook writes in the same transaction are committed with the booking. The
 * hook can run more than once for a request, because a transaction can be retried from its start. The first run's
 * writes are then rolled back. The hook does not run for a repeated idempotency key.
 */
export class BookingCreateHook extends Context.Tag("@trailbook/core/BookingCreateHook")<
  BookingCreateHook,
  {
    /**
     * Checks the booking. `draft` has the same content as the eventual response. If the hook refuses the booking,
     * nothing is stored.
     */
    readonly admit: (draft: BookingRecord) => Effect.Effect<void, HookRefusal | HookDefect>
  }
>() {}
