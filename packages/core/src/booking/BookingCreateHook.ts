import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { OwnCode, Refusal } from "../Refusal.ts"
import type { BookingRecord } from "./BookingView.ts"

/**
 * The gate did not come to an answer: it is broken, and asked again would be so
 * again. Nothing is stored, and who ordered hears of a fault.
 */
export class HookDefect extends Data.TaggedError("HookDefect")<{
  /** What to die with. */
  readonly defect: unknown
}> {}

export type HookRefusal = Refusal<OwnCode | "unavailable">

/**
 * A rule of the program around us, over an order that every rule of ours would
 * let through.
 *
 * It is asked inside the unit of work, under the locks of the place, when the
 * booking, its guest and its tasks are written and its event is not. What it
 * stores in the same unit is there when the booking is. It may be asked again
 * about the same order, for a unit may be run again from its start; what it
 * stored the first time is undone then. For a repeat it is not asked at all.
 */
export class BookingCreateHook extends Context.Tag("@trailbook/core/BookingCreateHook")<
  BookingCreateHook,
  {
    /** Lets a booking through as it would be answered; refused, it leaves no trace. */
    readonly admit: (draft: BookingRecord) => Effect.Effect<void, HookRefusal | HookDefect>
  }
>() {}
