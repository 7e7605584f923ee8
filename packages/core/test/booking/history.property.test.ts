import { isLive } from "@trailbook/core/booking/Booking"
import { bookingDecider } from "@trailbook/core/booking/BookingDecider"
import { type BookingView, bookingView } from "@trailbook/core/booking/BookingView"
import { customerView } from "@trailbook/core/customer/Customer"
import type { OrgKey } from "@trailbook/core/offering/OfferingStore"
import { offeringView } from "@trailbook/core/offering/OfferingView"
import { sessionView } from "@trailbook/core/session/Session"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { script } from "../generators/script.ts"
import { world } from "../generators/world.ts"
import { change } from "../world/change.ts"
import { destinationOf, playAll } from "../world/play.ts"
import { levels } from "../world/recount.ts"
import { countSeats, getRow, recordOf, type World } from "../world/World.ts"

/** Returns each resource's last event. */
const lastEvents = (world: World): ReadonlyMap<string, unknown> =>
  new Map(world.events.map(({ data, orgId, type }) => {
    const { id } = Object.assign({ id: "" }, data)
    return [`${type.split(".")[0]} ${orgId} ${id}`, data]
  }))

/** Returns the stored resources in wire format, under the same keys as in `lastEvents`. */
const resourcesOf = (world: World): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ...world.bookings.map((one) => row("booking", one, bookingView(recordOf(world, one)))),
    ...world.customers.map((one) => row("customer", one, customerView(one))),
    ...world.offerings.map((one) => row("offering", one, offeringView(one))),
    ...world.sessions.map((one) => row("session", one, sessionView(one)))
  ])

const row = (kind: string, { id, orgId }: OrgKey, view: unknown): readonly [string, unknown] => [
  `${kind} ${orgId} ${id}`,
  view
]

/**
 * Removes fields whose changes emit no booking event: customer edits emit their own event, a payment for a canceled
 * booking is refunded without an event, and an additional payment emits a payment event.
 */
const ownPart = (data: unknown, hasAddedPayment: boolean): unknown => {
  const {
    customer,
    due_cents,
    owed_cents,
    paid_cents,
    payment_intent_id,
    refund,
    status,
    updated_at: _at,
    ...ownFields
  } = Object.assign<
    Partial<BookingView>,
    unknown
  >({}, data)
  const money = status === "cancelled" ? {} : { payment_intent_id, refund }
  const amounts = hasAddedPayment ? {} : { due_cents, owed_cents, paid_cents }
  return { ...ownFields, status, ...money, ...amounts, by: customer?.id }
}

describe("the feed", () => {
  it("contains each row's stored state in the last event about the row", () => {
    FastCheck.assert(
      FastCheck.property(world, script(40), (world, script) => {
        const changes = playAll(world, script)
        const after = changes.at(-1)?.after ?? world
        const idsWithAddedPayment = new Set(
          changes.flatMap(({ decided }) => decided).flatMap(({ booking, events }) =>
            events.some(({ _tag }) => _tag === "payment.added") ? [booking.id] : []
          )
        )
        const rows = resourcesOf(after)
        const eventData = lastEvents(after)
        for (const [name, data] of eventData) {
          const hasAddedPayment = idsWithAddedPayment.has(name.split(" ").at(-1) ?? "")
          expect(ownPart(data, hasAddedPayment)).toEqual(ownPart(rows.get(name), hasAddedPayment))
        }
        const silentNames = [...rows.keys()].filter((name) => !eventData.has(name) && !resourcesOf(world).has(name))
        expect(silentNames).toEqual([])
      }),
      { numRuns: runs(150, 50) }
    )
  })

  it("reproduces each booking when its events are replayed", () => {
    let moveCount = 0
    FastCheck.assert(
      FastCheck.property(world, script(40), (world, script) => {
        for (const { after, decided } of playAll(world, script)) {
          for (const { booking, events } of decided) {
            const now = getRow(after.bookings, booking.orgId, booking.id)
            expect(events.reduce(bookingDecider.evolve, booking)).toEqual(now)
            if (events.some(({ _tag }) => _tag === "booking.moved")) moveCount++
          }
        }
      }),
      { numRuns: 100 }
    )
    expect(moveCount).toBeGreaterThan(20)
  })
})

describe("a refusal", () => {
  it("changes nothing", () => {
    FastCheck.assert(
      FastCheck.property(world, script(40), (world, script) => {
        for (const { after, answers, before } of playAll(world, script)) {
          if (answers.length > 0 && answers.every(Either.isLeft)) {
            expect(after).toEqual({ ...before, drawn: after.drawn })
          }
        }
      }),
      { numRuns: runs(100, 34) }
    )
  })
})

describe("a move", () => {
  it("frees the same seats as a cancellation", () => {
    let moveCount = 0
    FastCheck.assert(
      FastCheck.property(world, script(25), FastCheck.nat(9), (world, script, start) => {
        const now = playAll(world, script).at(-1)?.after ?? world
        for (const booking of now.bookings.filter((one) => isLive(one, now.now))) {
          const move = change(now, booking, { _tag: "Move", to: destinationOf(now, booking, start) })
          if (Either.isLeft(move.answer) || move.events.length === 0) continue
          const cancelledWorld = change(now, booking, { _tag: "Cancel" }).world
          const offering = getRow(now.offerings, booking.orgId, booking.offeringId)
          // Nothing has changed except the booking itself.
          expect(levels(move.world, offering, booking.id)).toEqual(levels(cancelledWorld, offering))
          for (const session of now.sessions) {
            expect(countSeats(move.world, session, now.now, booking.id).booked).toBe(
              countSeats(cancelledWorld, session, now.now).booked
            )
          }
          const ownLevels = (
            { bookings }: World
          ) => [
            ...levels({
              ...move.world,
              bookings: bookings.filter(({ id, orgId }) => id === booking.id && orgId === booking.orgId)
            }, offering).values()
          ]
          expect(new Set(ownLevels(move.world))).toEqual(new Set(ownLevels(now)))
          moveCount++
        }
      }),
      { numRuns: 100 }
    )
    expect(moveCount).toBeGreaterThan(20)
  })
})
