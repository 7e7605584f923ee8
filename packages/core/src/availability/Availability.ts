/**
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BookingStore } from "../booking/BookingStore.ts"
import type { PlaceFacts } from "../booking/target.ts"
import { Offerings } from "../offering/Offerings.ts"
import type { Key } from "../offering/OfferingStore.ts"
import { today } from "../offering/slots.ts"
import { OrgStore } from "../org/OrgStore.ts"
import { invalid, type Refusal } from "../Refusal.ts"
import { SessionStore } from "../session/SessionStore.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { moment } from "../time/moment.ts"
import * as Zone from "../time/Zone.ts"
import { type Slot, slotsOfSessions, slotsOfSpans, spansOffered, touchAll } from "./slotsLeft.ts"

/**
 * The most days that one answer covers (decision 1.8).
 *
 * @since 0.1.0
 * @category constants
 */
export const maxDays = 366

/** More sessions than anybody schedules within the days of one answer. */
const maxSessions = 100_000

/**
 * @since 0.1.0
 * @category models
 */
export interface AvailabilityQuery {
  readonly offering: Key
  readonly from: LocalDate.LocalDate | undefined
  readonly to: LocalDate.LocalDate | undefined
  /** Rentals: how many periods in a row. */
  readonly periods: number | undefined
  /** How many seats, people or items are wanted; refused when one booking cannot have as many. It leaves nothing out. */
  readonly quantity: number | undefined
}

/**
 * @since 0.1.0
 * @category services
 */
export class Availability extends Context.Tag("@trailbook/core/Availability")<
  Availability,
  {
    /** What starts on the local dates `from` to `to`, both included; the next 14 days when left out. */
    readonly get: (query: AvailabilityQuery) => Effect.Effect<
      { readonly timezone: string; readonly slots: ReadonlyArray<Slot> },
      Refusal<"not_found" | "invalid_request">
    >
  }
>() {
  static readonly layer = Layer.effect(
    Availability,
    Effect.gen(function*() {
      const bookings = yield* BookingStore
      const offerings = yield* Offerings
      const orgs = yield* OrgStore
      const sessions = yield* SessionStore

      return Availability.of({
        get: ({ offering: key, periods, quantity, ...dates }) =>
          Effect.gen(function*() {
            // Neither needs the other, and a database across a network is asked once instead of twice.
            const [offering, org] = yield* Effect.all(
              [offerings.get(key), Effect.orDie(Effect.flatten(orgs.find(key.orgId)))],
              { concurrency: "unbounded" }
            )
            const rental = offering.kind === "rental"
            if (!rental && periods !== undefined) return yield* invalid("periods: is for rentals only")
            if (periods !== undefined && periods > offering.maxPeriods) {
              return yield* invalid(`periods: must be at most ${offering.maxPeriods} for this rental`)
            }
            if (quantity !== undefined && quantity > offering.maxPerBooking) {
              return yield* invalid(`quantity: must be at most ${offering.maxPerBooking}, the most in one booking`)
            }
            const facts: PlaceFacts = { offering, zone: Zone.get(org.timezone), now: yield* moment }
            const first = dates.from ?? today(facts.zone, facts.now)
            const last = dates.to ?? LocalDate.addDays(first, 13)
            if (last < first) return yield* invalid("to: must not be before from")
            if (last - first >= maxDays) return yield* invalid(`to: from and to must span at most ${maxDays} days`)

            const from = facts.zone.startOf(first)
            const to = facts.zone.startOf(LocalDate.addDays(last, 1))
            if (offering.kind === "class") {
              const scheduled = yield* sessions.list({
                orgId: key.orgId,
                offeringId: key.id,
                from,
                to,
                status: "scheduled",
                after: undefined,
                limit: maxSessions,
                now: facts.now
              })
              return { timezone: org.timezone, slots: slotsOfSessions(facts, scheduled) }
            }
            const length = { periodMinutes: offering.durationMinutes, periods: periods ?? 1 }
            const spans = spansOffered(facts, { from, to, length })
            const query = touchAll(facts, spans)
            const [touched] = query === undefined ? [] : yield* bookings.touching([query])
            return { timezone: org.timezone, slots: slotsOfSpans(facts, spans, touched?.taken ?? []) }
          })
      })
    })
  )
}
