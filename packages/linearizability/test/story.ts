/** Handwritten and generated histories. */
import type {
  BookingObservation,
  CallResult,
  ClockChange,
  History,
  ObservedBooking,
  Offering,
  Operation,
  RecordedCall
} from "@trailbook/linearizability/History"
import { applyOperation, emptyState, type ModelState } from "@trailbook/linearizability/model"
import * as FastCheck from "effect/FastCheck"

export const hour = 3_600_000
export const minute = 60_000

/**
 * Returns an offering with three places. `p0` and `p1` overlap, `p2` starts when `p1` ends, and `p0` starts after the
 * first hour.
 */
export const guiding = (capacity: number, bufferMinutes = 0): Offering => ({
  id: "guiding",
  kind: "appointment",
  bufferMinutes,
  places: [1, 1.5, 2.5].map((start, at) => ({
    name: `p${at}`,
    startsAt: start * hour,
    endsAt: (start + 1) * hour,
    capacity
  }))
})

export const rafting = (capacity: number): Offering => ({
  ...guiding(capacity),
  id: "rafting",
  kind: "class"
})

export const toSeenBooking = (one: BookingObservation): ObservedBooking => ({
  ...one,
  id: `id-${one.booking}`,
  identity: `it is ${one.booking}`
})

/** Returns a response the way a client receives it, with IDs and sorted lists. */
export const normalizeAnswer = (answer: CallResult): CallResult<ObservedBooking> => {
  if (answer._tag === "Booking") return { _tag: "Booking", booking: toSeenBooking(answer.booking) }
  return answer._tag === "Bookings"
    ? {
      _tag: "Bookings",
      bookings: answer.bookings.map(toSeenBooking).toSorted((a, b) => a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1))
    }
    : answer
}

/** An operation and the time at which it executes. */
export type TimedOperation = readonly [operation: Operation, now: number]

export const answerStory = (
  offering: Offering,
  story: ReadonlyArray<TimedOperation>
): ReadonlyArray<CallResult<ObservedBooking>> => {
  let state: ModelState = emptyState
  return story.map(([operation, now]) => {
    const { answer, next } = applyOperation(offering, state, operation, now)
    state = next
    return normalizeAnswer(answer)
  })
}

const name = FastCheck.constantFrom("k0", "k1", "k2")
const place = FastCheck.constantFrom("p0", "p1", "p2", "nowhere")

export const operation: FastCheck.Arbitrary<Operation> = FastCheck.oneof(
  {
    weight: 4,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Book" as const),
      booking: name,
      place,
      quantity: FastCheck.constantFrom(1, 1, 2),
      periods: FastCheck.constant(1),
      holdMinutes: FastCheck.constantFrom(undefined, 10)
    })
  },
  { weight: 2, arbitrary: FastCheck.record({ _tag: FastCheck.constant("Move" as const), booking: name, place }) },
  {
    weight: 5,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constantFrom("Confirm" as const, "Cancel" as const, "Get" as const),
      booking: name
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("List" as const),
      status: FastCheck.constantFrom(undefined, "held" as const)
    })
  },
  { weight: 1, arbitrary: FastCheck.constant({ _tag: "Availability" as const }) }
)

export const offering: FastCheck.Arbitrary<Offering> = FastCheck.oneof(
  FastCheck.tuple(FastCheck.constantFrom(1, 2), FastCheck.constantFrom(0, 30)).map(([capacity, buffer]) =>
    guiding(capacity, buffer)
  ),
  FastCheck.constantFrom(1, 2).map(rafting)
)

/** Moves of one booking between two places. */
const restless: FastCheck.Arbitrary<Operation> = FastCheck.oneof(
  {
    weight: 4,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Move" as const),
      booking: FastCheck.constant("k0"),
      place: FastCheck.constantFrom("p0", "p1")
    })
  },
  { weight: 1, arbitrary: FastCheck.constant({ _tag: "Get" as const, booking: "k0" }) }
)

const first: Operation = { _tag: "Book", booking: "k0", place: "p0", quantity: 1, periods: 1, holdMinutes: undefined }

/** Generates a sequence of operations. The clock sometimes advances between two operations. */
export const story = (maxLength: number): FastCheck.Arbitrary<ReadonlyArray<TimedOperation>> =>
  FastCheck.tuple(
    FastCheck.oneof(
      { weight: 4, arbitrary: FastCheck.array(operation, { minLength: 1, maxLength }) },
      { weight: 1, arbitrary: FastCheck.array(restless, { maxLength: maxLength - 1 }).map((rest) => [first, ...rest]) }
    ),
    FastCheck.array(FastCheck.constantFrom(0, 0, 0, 6 * minute, 40 * minute), { minLength: maxLength })
  ).map(([operations, passes]) => {
    let now = 0
    return operations.map((operation, at) => {
      now += passes[at] ?? 0
      return [operation, now] as const
    })
  })

/** Returns the clock settings for a story whose calls execute at these ticks. */
export const clockOf = (
  story: ReadonlyArray<TimedOperation>,
  ticks: ReadonlyArray<number>
): ReadonlyArray<ClockChange> => [
  { tick: -Infinity, moment: 0 },
  ...story.map(([, moment], at) => ({ tick: (ticks[at] ?? 0) - 0.5, moment }))
]

/** Returns a sequential history, in which each call returns before the next one starts. */
export const oneByOne = (offering: Offering, story: ReadonlyArray<TimedOperation>): History => {
  const ticks = story.map((_, at) => 10 * at)
  const results = answerStory(offering, story)
  return {
    offering,
    clock: clockOf(story, ticks),
    calls: story.map(([operation], at): RecordedCall => ({
      client: 1,
      operation,
      // The call starts after its clock change, because other results would also be correct before the change.
      invoked: 10 * at - 0.4,
      returned: 10 * at + 1,
      answer: results[at]
    }))
  }
}
