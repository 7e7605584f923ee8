/** Laws about booking changes: cancellations, expiries, moves, and retries. */
import type { BookingView } from "@trailbook/core/booking"
import * as Instant from "@trailbook/core/time/Instant"
import { checkInvariants } from "@trailbook/testkit/invariants"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { computeRemainingCapacity, describePlace, getBookingWeight } from "./count.ts"
import {
  compareResultCodes,
  type ExecutedStep,
  makeEndLaw,
  makeStepLaw,
  type ScenarioLaw,
  toResultCode,
  type Violations
} from "./Law.ts"
import type { ChangedOutcome, MovedOutcome } from "./runStep.ts"
import type { Simulation } from "./Simulation.ts"
import { isLiveBooking, make, parseTimestamp, type World } from "./World.ts"

const isAtTarget = ({ session_id, starts_at }: BookingView, { requests }: MovedOutcome): boolean =>
  requests.some(({ input }) =>
    session_id === null
      ? typeof input.starts_at === "string" && parseTimestamp(input.starts_at) === parseTimestamp(starts_at)
      : input.session_id === session_id
  )

const unlistedCodes = "slot_unavailable or session_cancelled"

const expectedMoveCode = (before: World, outcome: MovedOutcome): string => {
  const { booking, listedSlot, offering } = outcome
  if (booking.status === "cancelled") return "booking_cancelled"
  if (!isLiveBooking(booking, parseTimestamp(before.now))) return "hold_expired"
  if (isAtTarget(booking, outcome)) return "ok"
  if (listedSlot === undefined) return unlistedCodes
  return getBookingWeight(offering, booking.quantity) <=
      computeRemainingCapacity(before, offering, listedSlot, booking.id)
    ? "ok"
    : "slot_full"
}

const fixedFields = ["quantity", "total_cents", "reference", "handle", "customer_id", "status", "expires_at"] as const

const findMoveLosses = (before: BookingView, after: BookingView): Violations => [
  ...fixedFields.filter((field) => before[field] !== after[field]).map((field) =>
    `The move changed the booking's ${field}.`
  ),
  ...(describePlace(before) === describePlace(after) ||
      (after.previous !== undefined && describePlace(after.previous) === describePlace(before))
    ? []
    : [`The booking moved from ${describePlace(before)}, but its previous field does not match.`])
]

const checkMoved = ({ after, before }: ExecutedStep, outcome: MovedOutcome): Violations => {
  const storedBooking = after.bookings.find(({ id }) => id === outcome.booking.id)
  return outcome.requests.flatMap(({ result }) => {
    const expected = expectedMoveCode(before, outcome)
    const code = toResultCode(result)
    if (expected === unlistedCodes && unlistedCodes.split(" or ").includes(code)) return []
    return [
      ...compareResultCodes("bookings.move", expected, code),
      ...(Either.isRight(result) && storedBooking !== undefined ? findMoveLosses(outcome.booking, storedBooking) : [])
    ]
  })
}

const expectedConfirmCode = (before: World, { booking, offering }: ChangedOutcome): string => {
  if (booking.status === "cancelled") return "booking_cancelled"
  if (booking.status === "confirmed" || isLiveBooking(booking, parseTimestamp(before.now))) return "ok"
  return getBookingWeight(offering, booking.quantity) <= computeRemainingCapacity(before, offering, booking, booking.id)
    ? "ok"
    : "hold_expired"
}

/** Reads the availability of a hold's place at another time, then resets the clock. */
const checkHoldAt = (
  simulation: Simulation,
  world: World,
  hold: BookingView,
  moment: Instant.Instant
): Effect.Effect<Violations> =>
  Effect.gen(function*() {
    const now = yield* simulation.now
    yield* simulation.setClock(moment)
    const offering = world.offerings.find(({ id }) => id === hold.offering_id)
    const slot = offering && (yield* simulation.findSlot(offering, hold, simulation.periodsOf(hold)))
    yield* simulation.setClock(now)
    if (offering === undefined || slot === undefined) return []
    const expected = computeRemainingCapacity(make(simulation.zone, moment, world), offering, slot)
    return slot.remaining === expected
      ? []
      : [
        `At ${Instant.format(moment)}, when the hold on booking ${hold.reference} ${
          moment < parseTimestamp(hold.expires_at ?? "") ? "is about to expire" : "has expired"
        }, the slot shows ${slot.remaining} remaining. Expected ${expected}.`
      ]
  })

const checkHolds = (simulation: Simulation, world: World): Effect.Effect<Violations> =>
  Effect.map(
    Effect.forEach(world.live.filter(({ status }) => status === "held"), (hold) => {
      const expiry = parseTimestamp(hold.expires_at ?? "")
      return Effect.forEach(
        [Instant.make(expiry - 1), expiry],
        (moment) => checkHoldAt(simulation, world, hold, moment)
      )
    }),
    (complaints) => complaints.flat(2)
  )

const rebookCanceled = (
  simulation: Simulation,
  { before }: ExecutedStep,
  { booking }: ChangedOutcome
): Effect.Effect<Violations> =>
  Effect.gen(function*() {
    const offering = before.offerings.find(({ id }) => id === booking.offering_id)
    if (offering === undefined || !isLiveBooking(booking, parseTimestamp(before.now))) return []
    const periods = simulation.periodsOf(booking)
    const slot = yield* simulation.findSlot(offering, booking, periods)
    // If the start is in the past, freed capacity does not matter.
    if (slot === undefined || slot.ends_at !== booking.ends_at) return []
    const rebooking = yield* simulation.sendBookingRequest("bookings.create", {
      offering_id: offering.id,
      ...(booking.session_id === null ? { starts_at: booking.starts_at } : { session_id: booking.session_id }),
      ...(offering.kind === "rental" ? { periods } : {}),
      quantity: booking.quantity,
      customer: { email: "next@example.com" }
    })
    if (Either.isRight(rebooking)) yield* simulation.sendBookingRequest("bookings.cancel", { id: rebooking.right.id })
    return compareResultCodes("Rebooking a canceled start", "ok", toResultCode(rebooking))
  })

export const changeLaws: ReadonlyArray<ScenarioLaw> = [
  makeStepLaw(
    {
      name: "cancellation frees capacity",
      title: "the capacity of a canceled booking can be booked again immediately",
      about: ["Cancel"]
    },
    (step, simulation) => {
      const { after, outcome } = step
      if (outcome._tag !== "Cancelled") return Effect.succeed([])
      const canceledBooking = after.bookings.find(({ id }) => id === outcome.booking.id)
      return Effect.map(rebookCanceled(simulation, step, outcome), (complaints) => [
        ...outcome.requests.flatMap(({ result }) => compareResultCodes("bookings.cancel", "ok", toResultCode(result))),
        ...compareResultCodes(`Booking ${outcome.booking.reference}`, "cancelled", canceledBooking?.status ?? "gone"),
        ...complaints
      ])
    }
  ),
  makeStepLaw(
    {
      name: "holds",
      title:
        "a hold occupies capacity until it expires, and an expired hold can be confirmed only if capacity is available",
      about: ["Confirm", "Wait"]
    },
    ({ after, before, outcome }, simulation) =>
      Effect.map(checkHolds(simulation, after), (complaints) => [
        ...complaints,
        ...(outcome._tag === "Confirmed"
          ? outcome.requests.flatMap(({ result }) =>
            compareResultCodes("bookings.confirm", expectedConfirmCode(before, outcome), toResultCode(result))
          )
          : [])
      ])
  ),
  makeStepLaw(
    {
      name: "moves",
      title:
        "a booking can move to any start that has room after its old spot is released, and keeps its price, length, and status",
      about: ["Move"]
    },
    (step) => Effect.succeed(step.outcome._tag === "Moved" ? checkMoved(step, step.outcome) : [])
  ),
  makeStepLaw(
    {
      name: "retries",
      title: "repeated requests with the same idempotency_key create only one booking",
      about: ["Retry"]
    },
    ({ after, before, outcome }) => {
      if (outcome._tag !== "Retried" || Either.isLeft(outcome.first)) return Effect.succeed([])
      const { id } = outcome.first.right
      return Effect.succeed([
        ...outcome.requests.flatMap(({ result }) =>
          compareResultCodes("The same request", id, Either.isRight(result) ? result.right.id : result.left.code)
        ),
        ...compareResultCodes("The number of bookings", String(before.bookings.length), String(after.bookings.length))
      ])
    }
  ),
  makeEndLaw(
    {
      name: "events",
      title: "events report every change once and in order, and the last event matches the stored booking"
    },
    ({ orgId }) => checkInvariants(orgId)
  )
]
