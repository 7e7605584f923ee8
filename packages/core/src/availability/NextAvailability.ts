/** Why no start is available, and the next available start. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { getBookingWeight, type PlaceFacts } from "../booking/checkPlace.ts"
import { ClosureStore, getFirstRelevantClosureDate } from "../offering/closure/Closure.ts"
import { getBookableWindow, getLocalDate } from "../offering/listSlots.ts"
import type { Offering } from "../offering/Offering.ts"
import { Offerings } from "../offering/Offerings.ts"
import { OrgStore } from "../org/Orgs.ts"
import type { Refusal } from "../Refusal.ts"
import { SessionStore } from "../session/Session.ts"
import { currentTime } from "../time/currentTime.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { Availability, type AvailabilityFacts, type AvailabilityQuery, toPlaceFacts } from "./Availability.ts"
import { explainNoSlots, type NoSlotsExplanation } from "./explainNoSlots.ts"
import type { Slot } from "./remainingSlots.ts"

export interface NoAvailabilityExplanation extends NoSlotsExplanation {
  /**
   * The first start with capacity after the requested dates. Omitted if no such start exists within the search limit.
   */
  readonly next?: Slot
}

/** The search limit: `maxRanges` ranges of `rangeDays` days each, and at most `maxStarts` starts. */
const maxRanges = 6
const rangeDays = 31
/** Two shorter ranges come first, because most offerings have capacity in the next few days. */
const increasingRanges = [3, 11, ...Array<number>(maxRanges).fill(rangeDays)]
const maxStarts = 10_000
/** The maximum number of sessions to check on the requested dates. */
const maxSessions = 500

export class NextAvailability extends Context.Tag("@trailbook/core/NextAvailability")<
  NextAvailability,
  {
    /**
     * Explains why no start in an `Availability` response has capacity. Returns undefined if a listed start has
     * capacity for the quantity.
     */
    readonly explainNoAvailability: (
      query: AvailabilityQuery,
      slots: ReadonlyArray<Slot>
    ) => Effect.Effect<NoAvailabilityExplanation | undefined, Refusal<"not_found" | "invalid_request">>
    /**
     * Returns the first start with capacity from now on, or undefined if there is none within the search limit.
     */
    readonly next: (
      query: Pick<AvailabilityQuery, "offering" | "periods" | "quantity">,
      /** Facts that the caller has already read. */
      loadedFacts?: AvailabilityFacts
    ) => Effect.Effect<Slot | undefined, Refusal<"not_found" | "invalid_request">>
  }
>() {
  static readonly layer = Layer.effect(NextAvailability, Effect.suspend(() => makeNextAvailability))
}

const makeNextAvailability = Effect.gen(function*() {
  const availability = yield* Availability
  const closures = yield* ClosureStore
  const offerings = yield* Offerings
  const orgs = yield* OrgStore
  const sessions = yield* SessionStore

  const loadFacts = (offering: Offering): Effect.Effect<AvailabilityFacts> =>
    Effect.gen(function*() {
      const { orgId } = offering
      const org = yield* Effect.orDie(Effect.flatten(orgs.find(orgId)))
      return {
        offering,
        org,
        closures: yield* closures.since([orgId], getFirstRelevantClosureDate(yield* currentTime))
      }
    })

  /** Finds the first listed start with capacity on or after a date. */
  const search = (
    query: AvailabilityQuery & { readonly known: AvailabilityFacts },
    { days = Array<number>(maxRanges).fill(rangeDays), facts, first, neededCapacity }: {
      readonly facts: PlaceFacts
      readonly first: LocalDate.LocalDate
      readonly neededCapacity: number
      readonly days?: ReadonlyArray<number>
    }
  ) =>
    Effect.gen(function*() {
      const last = facts.zone.dateAt(getBookableWindow(facts.offering, facts.zone, facts.now).before)
      let from = first
      let startCount = 0
      for (const dayCount of days) {
        if (from > last || startCount >= maxStarts) return undefined
        const to = LocalDate.addDays(from, dayCount - 1)
        const { slots } = yield* availability.get({ ...query, from, to })
        const freeSlot = slots.find(({ remaining }) => remaining >= neededCapacity)
        if (freeSlot !== undefined) return freeSlot
        startCount += slots.length
        from = LocalDate.addDays(to, 1)
      }
      return undefined
    })

  return NextAvailability.of({
    next: ({ offering: key, periods, quantity }, loadedFacts) =>
      Effect.gen(function*() {
        const availabilityFacts = loadedFacts ?? (yield* Effect.flatMap(offerings.get(key), loadFacts))
        const facts = yield* toPlaceFacts(availabilityFacts)
        return yield* search({ offering: key, periods, quantity, known: availabilityFacts }, {
          facts,
          first: getLocalDate(facts.zone, facts.now),
          neededCapacity: getBookingWeight(availabilityFacts.offering, quantity ?? 1),
          days: increasingRanges
        })
      }),
    explainNoAvailability: (query, slots) =>
      Effect.gen(function*() {
        const { offering: key, periods = 1, quantity = 1 } = query
        if (slots.some(({ remaining }) => remaining >= quantity)) return undefined
        const offering = yield* offerings.get(key)
        // An appointment needs one unit of capacity, regardless of the party size.
        const neededCapacity = getBookingWeight(offering, quantity)
        if (slots.some(({ remaining }) => remaining >= neededCapacity)) return undefined
        const availabilityFacts = yield* loadFacts(offering)
        const facts = yield* toPlaceFacts(availabilityFacts)
        const today = getLocalDate(facts.zone, facts.now)
        const first = query.from ?? today
        const dayAfter = LocalDate.addDays(query.to ?? LocalDate.addDays(first, 13), 1)
        const from = facts.zone.startOf(first)
        const to = facts.zone.startOf(dayAfter)
        const schedule = offering.kind === "class"
          ? {
            sessions: yield* sessions.list({
              orgId: key.orgId,
              offeringId: key.id,
              from,
              to,
              status: "scheduled",
              limit: maxSessions,
              now: facts.now
            })
          }
          : { length: { periodMinutes: offering.durationMinutes, periods } }
        const explanation = explainNoSlots(facts, { from, to, of: schedule, listed: slots.length })
        if (explanation.because === "paused") return explanation
        const next = yield* search({ ...query, known: availabilityFacts }, {
          facts,
          first: LocalDate.make(Math.max(today, dayAfter)),
          neededCapacity
        })
        return next === undefined ? explanation : { ...explanation, next }
      })
  })
})
