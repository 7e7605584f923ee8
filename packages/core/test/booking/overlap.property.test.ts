import { type Booking, isLive } from "@trailbook/core/booking/Booking"
import { computeRemainingCapacity, toOverlapQuery } from "@trailbook/core/booking/checkPlace"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { script, wish } from "../generators/script.ts"
import { world } from "../generators/world.ts"
import { change, sell } from "../world/change.ts"
import { listSpans, orderOf, playAll } from "../world/play.ts"
import { findOverlaps, type World } from "../world/World.ts"

/** Returns the remaining capacity in all listed spans, computed both from the `overlap` query and from all bookings. */
const rooms = (world: World) =>
  world.offerings.filter(({ kind }) => kind !== "class").flatMap((offering) => {
    const all = world.bookings.filter((booking) =>
      booking.orgId === offering.orgId && booking.offeringId === offering.id && isLive(booking, world.now)
    ).map((booking) => ({ ...booking, bookings: 1 }))
    return listSpans(world, offering, 1).map((span) => ({
      queried: computeRemainingCapacity(offering, span, {
        bookedSpans: findOverlaps(world, toOverlapQuery(offering, span, world.now)).bookedSpans
      }),
      all: computeRemainingCapacity(offering, span, { bookedSpans: all })
    }))
  })

describe("overlap", () => {
  it("includes every booking that affects capacity", () => {
    let less = 0
    FastCheck.assert(
      FastCheck.property(world, script(30), (world, script) => {
        const after = playAll(world, script).at(-1)?.after ?? world
        const roomCounts = rooms(after)
        expect(roomCounts.map(({ queried }) => queried)).toEqual(roomCounts.map(({ all }) => all))
        less += roomCounts.filter(({ all }) => all === 0).length
      }),
      { numRuns: 150 }
    )
    expect(less).toBeGreaterThan(500)
  })

  it("includes the hour that a clock change adds to a booking", () => {
    const moves = FastCheck.array(FastCheck.nat(200), { minLength: 1, maxLength: 4 })
    let longer = 0
    FastCheck.assert(
      FastCheck.property(world, wish, moves, (world, wish, moves) => {
        const settings = { durationMinutes: 1440, slotIntervalMinutes: 30, bufferMinutes: 0, capacity: 2, active: true }
        const days: World = {
          ...world,
          offerings: world.offerings.map((one) => ({
            ...one,
            ...settings,
            hours: world.offerings.find(({ hours }) => hours.length > 0)!.hours
          }))
        }
        const sale = sell(days, [
          orderOf(days, { ...wish, offering: 2, quantity: 1, periods: 1, holdMinutes: undefined, astray: undefined }, 0)
        ])
        FastCheck.pre(Either.isRight(sale.answers[0]!))
        const movedWorld = moves.reduce((world, move) => moveTo(world, world.bookings[0]!, move), sale.world)
        const [original, now] = [sale.world.bookings[0]!, movedWorld.bookings[0]!]
        if (now.endsAt - now.startsAt > original.endsAt - original.startsAt) longer++
        const roomCounts = rooms(movedWorld)
        expect(roomCounts.map(({ queried }) => queried)).toEqual(roomCounts.map(({ all }) => all))
      }),
      { numRuns: 400 }
    )
    expect(longer).toBeGreaterThan(10)
  })
})

const moveTo = (world: World, booking: Booking, pick: number): World => {
  const offering = world.offerings.find(({ id, orgId }) => id === booking.offeringId && orgId === booking.orgId)!
  const spans = listSpans({ ...world, now: Instant.addMinutes(world.now, 1440) }, offering, booking.periods)
  const span = spans[pick % Math.max(1, spans.length)]
  return span === undefined ? world : change(world, booking, { _tag: "Move", to: span }).world
}
