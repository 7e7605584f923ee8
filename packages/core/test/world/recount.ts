/**
 * A naive checker that recounts occupancy in five-minute steps and reports where it exceeds the capacity. All times in
 * these tests are multiples of five minutes.
 */
import { isLive } from "@trailbook/core/booking/Booking"
import type { Offering } from "@trailbook/core/offering/Offering"
import type { World } from "./World.ts"

const stepMs = 5 * 60_000

/** Returns the occupancy at each step of an appointment or rental. */
export const levels = (
  world: World,
  { bufferMinutes, id, kind, orgId }: Offering,
  except?: string
): ReadonlyMap<number, number> => {
  const levels = new Map<number, number>()
  for (const booking of world.bookings) {
    if (booking.orgId !== orgId || booking.offeringId !== id || booking.id === except) continue
    if (!isLive(booking, world.now)) continue
    const weight = kind === "appointment" ? 1 : booking.quantity
    for (let at: number = booking.startsAt; at < booking.endsAt + bufferMinutes * 60_000; at += stepMs) {
      levels.set(at, (levels.get(at) ?? 0) + weight)
    }
  }
  return levels
}

/** Returns the number of occupied seats in each session. */
const seats = (world: World): ReadonlyMap<string, number> => {
  const seats = new Map<string, number>()
  for (const { orgId, quantity, sessionId, ...booking } of world.bookings) {
    const key = `${orgId} ${sessionId}`
    const live = booking.status === "confirmed" || (booking.status === "held" && booking.expiresAt > world.now)
    if (sessionId !== null && live) seats.set(key, (seats.get(key) ?? 0) + quantity)
  }
  return seats
}

/**
 * Finds where the occupancy in `after` exceeds both the capacity and the occupancy in `before`. Lowering a capacity or
 * extending a buffer does not cancel bookings, but a full place must not accept more of them.
 */
export const findOversold = (before: World, after: World): ReadonlyArray<string> => {
  if (before.bookings === after.bookings) return []
  const spans = after.offerings.filter(({ kind }) => kind !== "class").flatMap((offering) => {
    const levelsBefore = levels({ ...before, now: after.now }, offering)
    return [...levels(after, offering)].flatMap(([at, level]) =>
      level > offering.capacity && level > (levelsBefore.get(at) ?? 0)
        ? [`${offering.kind} at ${new Date(at).toISOString()}: ${level} of ${offering.capacity}`]
        : []
    )
  })
  const seatsAfter = seats(after)
  const seatsBefore = seats({ ...before, now: after.now })
  const sessions = after.sessions.flatMap(({ capacity, id, offeringId, orgId }) => {
    const of = capacity ?? after.offerings.find((one) => one.orgId === orgId && one.id === offeringId)!.capacity
    const [now = 0, then = 0] = [seatsAfter.get(`${orgId} ${id}`), seatsBefore.get(`${orgId} ${id}`)]
    return now > of && now > then ? [`session ${id}: ${now} of ${of}`] : []
  })
  return [...spans, ...sessions]
}
