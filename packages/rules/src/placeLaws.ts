/** Laws about places. Bookings must fit within the capacity, and the listed availability must match the bookings. */
import type { SlotView } from "@trailbook/core/availability"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import {
  computePeakWeight,
  computeRemainingCapacity,
  countClaimedCapacity,
  countOccupiedSeats,
  describePlace,
  getBookingWeight,
  getPlaceCapacity
} from "./count.ts"
import { compareResultCodes, makeStepLaw, type ScenarioLaw, toResultCode, type Violations } from "./Law.ts"
import type { BookedOutcome } from "./runStep.ts"
import { listUpcomingSlots } from "./Simulation.ts"
import { type OfferingWithHours, parseTimestamp, type World } from "./World.ts"

const openKinds = ["appointment", "rental"] as const

const findOversold = (world: World): ReadonlyArray<string> =>
  world.offerings.flatMap((offering) => {
    const live = world.live.filter(({ offering_id }) => offering_id === offering.id)
    return live.flatMap((booking) => {
      const capacity = getPlaceCapacity(world, offering, booking)
      const usedSpots = booking.session_id === null
        ? countClaimedCapacity(offering, live, parseTimestamp(booking.starts_at))
        : countOccupiedSeats(live, booking.session_id)
      return usedSpots <= capacity
        ? []
        : [`"${offering.name}" has ${usedSpots} of ${capacity} spots occupied at ${booking.starts_at}.`]
    })
  })

/** Returns the expected response to each of several identical requests. */
const expectedCode = ({ listedSlot, offering, periods, quantity }: BookedOutcome, at: number): string => {
  if (quantity > offering.max_per_booking || periods > offering.max_periods) return "invalid_request"
  if (listedSlot === undefined) return "not listed"
  return getBookingWeight(offering, quantity) * (at + 1) <= listedSlot.remaining ? "ok" : "slot_full"
}

const unlistedCodes: ReadonlySet<string> = new Set(["slot_unavailable", "session_cancelled"])

const checkBooked = (outcome: BookedOutcome): Violations => {
  // Only the number of successes matters, not which requests succeed.
  const codes = outcome.requests.map(({ result }) => toResultCode(result)).toSorted((a, b) =>
    Number(b === "ok") - Number(a === "ok")
  )
  return codes.flatMap((code, at) => {
    const expected = expectedCode(outcome, at)
    if (expected !== "not listed") return compareResultCodes("bookings.create", expected, code)
    return unlistedCodes.has(code) ? [] : [`This start is not listed, but bookings.create returns ${code}.`]
  })
}

const findMisplaced = ({ requests, listedSlot }: BookedOutcome, { bookings }: World): Violations =>
  requests.flatMap(({ result }) => {
    const booking = Either.isRight(result) ? bookings.find(({ id }) => id === result.right.id) : undefined
    return booking === undefined || listedSlot === undefined
      ? []
      : compareResultCodes("The place", describePlace(listedSlot), describePlace(booking))
  })

const findMiscounted = (
  world: World,
  offering: OfferingWithHours,
  slots: ReadonlyArray<SlotView>
): ReadonlyArray<string> =>
  slots.flatMap((slot) => {
    const expectedRemaining = computeRemainingCapacity(world, offering, slot)
    const capacity = getPlaceCapacity(world, offering, slot)
    const usedSpots = computePeakWeight(offering, world.live, slot)
    const label = `"${offering.name}" at ${slot.starts_at}`
    return [
      ...(slot.remaining === expectedRemaining
        ? []
        : [`${label} shows ${slot.remaining} remaining, but ${usedSpots} of ${capacity} spots are occupied.`]),
      ...(slot.capacity === capacity ? [] : [`${label} shows a capacity of ${slot.capacity}.`])
    ]
  })

export const placeLaws: ReadonlyArray<ScenarioLaw> = [
  makeStepLaw(
    {
      name: "never oversold",
      title: "live bookings never occupy more than the capacity, including the buffer after each booking",
      kinds: openKinds
    },
    ({ after }) => Effect.succeed(findOversold(after))
  ),
  makeStepLaw(
    {
      name: "seats",
      title:
        "a session never sells more seats than its capacity, reports the number of seats sold, and is empty after it is canceled",
      kinds: ["class"],
      about: ["CancelSession"]
    },
    ({ after, outcome }) =>
      Effect.succeed([
        ...findOversold(after),
        ...after.sessions.flatMap(({ booked, id, starts_at }) =>
          compareResultCodes(
            `The seats booked at ${starts_at} in sessions.list`,
            String(countOccupiedSeats(after.live, id)),
            String(booked)
          )
        ),
        ...(outcome._tag === "CalledOff"
          ? after.bookings.filter(({ session_id, status }) =>
            session_id === outcome.sessionId && status !== "cancelled"
          )
            .map(({ reference }) => `Booking ${reference} is still in the canceled session.`)
          : [])
      ])
  ),
  makeStepLaw(
    {
      name: "availability is bookable",
      title: "a start time can be booked as many times as availability shows, and an unlisted start time is rejected"
    },
    ({ after, outcome }) =>
      Effect.succeed(outcome._tag === "Booked" ? [...checkBooked(outcome), ...findMisplaced(outcome, after)] : [])
  ),
  makeStepLaw(
    {
      name: "remaining",
      title: "a slot's remaining capacity is its capacity minus its peak occupancy"
    },
    ({ after }, simulation) =>
      Effect.map(
        // An untouched place must show its full capacity, independently of the occupancy count.
        Effect.forEach(
          after.offerings.filter(({ id }) => after.bookings.some((one) => one.offering_id === id)),
          (offering) =>
            Effect.map(listUpcomingSlots(simulation, offering, 1), (slots) => findMiscounted(after, offering, slots))
        ),
        (complaints) => complaints.flat()
      )
  ),
  makeStepLaw(
    {
      name: "largest booking",
      title: "no booking exceeds max_per_booking, and no rental exceeds max_periods"
    },
    ({ after, outcome }) =>
      Effect.succeed([
        ...after.bookings.flatMap(({ offering_id, quantity, reference }) => {
          const maximum = after.offerings.find(({ id }) => id === offering_id)?.max_per_booking ?? 0
          return quantity <= maximum
            ? []
            : [`Booking ${reference} has a quantity of ${quantity}. The maximum is ${maximum}.`]
        }),
        ...(outcome._tag === "Booked" && outcome.periods > outcome.offering.max_periods
          ? outcome.requests.flatMap(({ result }) =>
            compareResultCodes(`${outcome.periods} periods`, "invalid_request", toResultCode(result))
          )
          : [])
      ])
  )
]
