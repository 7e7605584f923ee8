/** Records all calls, responses, and clock changes, in order. */
import type { Refusal } from "@trailbook/core"
import type { SlotView } from "@trailbook/core/availability"
import type { BookingView } from "@trailbook/core/booking"
import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import {
  type BookingPlace,
  type CallResult,
  type ClockChange,
  type History,
  listObservedBookings,
  type ObservedBooking,
  type Offering,
  type Operation,
  type RecordedCall
} from "./History.ts"

/** The clients' calls and results for one offering. */
export interface OfferingRecord {
  readonly offering: Offering
  readonly calls: Array<RecordedCall>
  /** The bookings in responses, in order of first appearance. */
  readonly bookings: Array<{ readonly id: string; readonly name: string }>
  /** The number of requests without a key. */
  keylessRequests: number
}

export interface HistoryRecorder {
  readonly records: ReadonlyArray<OfferingRecord>
  /** Sets each server's clock to its own instant. */
  readonly set: (moments: ReadonlyArray<number>) => void
  /** Makes a call and records it. After `patience` ticks, the client stops waiting, but the call continues. */
  readonly call: (
    page: OfferingRecord,
    call: Pick<RecordedCall, "client" | "server" | "operation">,
    patience: number | undefined,
    work: Effect.Effect<unknown, Refusal>
  ) => Effect.Effect<void>
  readonly read: () => {
    readonly histories: ReadonlyArray<History>
    readonly defects: ReadonlyArray<Cause.Cause<unknown>>
  }
}

export const open = (offerings: ReadonlyArray<Offering>, moments: ReadonlyArray<number>): HistoryRecorder => {
  const pages = offerings.map((offering): OfferingRecord => ({ offering, calls: [], bookings: [], keylessRequests: 0 }))
  const clock: Array<ClockChange> = [...toClockSets(0, moments)]
  const defects: Array<Cause.Cause<unknown>> = []
  const ticks = Effect.runSync(SettableClock.make(Instant.make(0)))

  const advanceTick = (): number => {
    Effect.runSync(ticks.advance(1))
    return ticks.unsafeCurrentTimeMillis()
  }

  const waitUntil = (tick: number) =>
    Effect.suspend(() => ticks.sleep(Duration.millis(tick - ticks.unsafeCurrentTimeMillis())))

  const toAnswer = (
    operation: Operation,
    exit: Exit.Exit<unknown, Refusal>
  ): CallResult<ObservedBooking> | undefined => {
    if (Exit.isSuccess(exit)) return parseAnswer(operation, exit.value)
    const refusal = Option.getOrUndefined(Cause.failureOption(exit.cause))
    if (refusal !== undefined && refusal.kind !== "unavailable") return { _tag: "Refused", code: refusal.code }
    if (refusal === undefined && !isOutage(exit.cause)) defects.push(exit.cause)
    return undefined
  }

  const recordCall = (page: OfferingRecord, call: RecordedCall): void => {
    page.calls.push(call)
    for (const { booking, id } of listObservedBookings(call)) {
      if (page.bookings.every((other) => other.id !== id)) page.bookings.push({ id, name: booking })
    }
  }

  return {
    records: pages,
    set: (moments) => void clock.push(...toClockSets(advanceTick(), moments)),
    call: (page, call, patience, work) =>
      Effect.gen(function*() {
        const invoked = advanceTick()
        const exit = patience === undefined
          ? yield* Effect.exit(work)
          : yield* Effect.raceFirst(
            Effect.disconnect(Effect.exit(work)),
            Effect.as(waitUntil(invoked + patience), undefined)
          )
        const answer = exit === undefined ? undefined : toAnswer(call.operation, exit)
        recordCall(page, { ...call, invoked, returned: advanceTick(), answer })
      }),
    read: () => ({ histories: pages.map(({ calls, offering }) => ({ offering, clock, calls })), defects })
  }
}

const toClockSets = (tick: number, moments: ReadonlyArray<number>): ReadonlyArray<ClockChange> =>
  moments.map((moment, server) => ({ tick, moment, server }))

/** Returns whether the cause is a storage outage, which servers report with status 503. */
const isOutage = (cause: Cause.Cause<unknown>): boolean =>
  [...Cause.defects(cause)].some((defect) =>
    Predicate.isTagged(defect, "ConnectionLostError") || Predicate.isTagged(defect, "DatabaseUnavailable")
  )

interface List<Row> {
  readonly data: ReadonlyArray<Row>
}

/**
 * Reads a response without decoding it with its schema. Decoding thousands of responses would take longer than playing
 * the history.
 */
const parseAnswer = ({ _tag }: Operation, json: unknown): CallResult<ObservedBooking> => {
  switch (_tag) {
    case "List":
      return { _tag: "Bookings", bookings: (json as List<BookingView>).data.map(toSeenBooking) }
    case "Availability":
      return {
        _tag: "Slots",
        slots: (json as List<SlotView>).data.map(({ remaining, session_id, starts_at }) => ({
          place: session_id ?? starts_at,
          remaining
        }))
      }
    case "Book":
    case "Confirm":
    case "Cancel":
    case "Get":
    case "Move":
      return { _tag: "Booking", booking: toSeenBooking(json as BookingView) }
  }
}

const toBookingPlace = (view: Pick<BookingView, "starts_at" | "ends_at" | "session_id">): BookingPlace => ({
  place: view.session_id ?? view.starts_at,
  startsAt: Date.parse(view.starts_at),
  endsAt: Date.parse(view.ends_at)
})

const momentOrNull = (text: string | null): number | null => text === null ? null : Date.parse(text)

const toSeenBooking = (view: BookingView): ObservedBooking => ({
  ...toBookingPlace(view),
  booking: view.notes,
  id: view.id,
  identity: [view.id, view.offering_id, view.customer_id, view.reference, view.handle, view.total_cents].join(" "),
  status: view.status,
  quantity: view.quantity,
  createdAt: Date.parse(view.created_at),
  expiresAt: momentOrNull(view.expires_at),
  cancelledAt: momentOrNull(view.cancelled_at),
  previous: view.previous === undefined ? null : toBookingPlace(view.previous)
})
