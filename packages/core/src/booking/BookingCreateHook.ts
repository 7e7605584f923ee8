import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { HostRefusalCode, Refusal } from "../Refusal.ts"
import type { BookingRecord } from "./BookingView.ts"

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
