/** Where nothing is free: why, and when something is again. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type PlaceFacts, weight } from "../booking/checkPlace.ts"
import { Offerings } from "../offering/Offerings.ts"
import { bookable, localToday } from "../offering/slots.ts"
import { OrgStore } from "../org/OrgStore.ts"
import type { Refusal } from "../Refusal.ts"
import { SessionStore } from "../session/SessionStore.ts"
import { currentTime } from "../time/currentTime.ts"
import * as LocalDate from "../time/LocalDate.ts"
import * as Zone from "../time/Zone.ts"
import { Availability, type AvailabilityFacts, type AvailabilityQuery } from "./Availability.ts"
import { explainNoSlots, type Reason } from "./explainNoSlots.ts"
import type { Slot } from "./remainingSlots.ts"

export interface NoAvailability {
  readonly because: Reason
  /** The first start after the dates asked for that has room; left out when none is near. */
  readonly next?: Slot
}

/** How far it is looked ahead: so many pieces of so many days, and no further than so many starts. */
const pieces = 6
const daysOfPiece = 31
/** Where most likely there is room tomorrow, the first pieces are short. */
const shortFirst = [3, 11, ...Array<number>(pieces).fill(daysOfPiece)]
const maxStarts = 10_000
/** Sessions of the dates asked for that are looked at. */
const maxSessions = 500

export class NextAvailable extends Context.Tag("@trailbook/core/NextAvailable")<
  NextAvailable,
  {
    /** Of an answer of `Availability`; undefined where there is room for as many as were asked for. */
    readonly nothingFree: (
      query: AvailabilityQuery,
      listed: ReadonlyArray<Slot>
    ) => Effect.Effect<NoAvailability | undefined, Refusal<"not_found" | "invalid_request">>
    /** The first start from now on that has room; undefined when none is near. */
    readonly next: (
      query: Pick<AvailabilityQuery, "offering" | "periods" | "quantity">,
      /** Who has read them need not have them read again. */
      known?: AvailabilityFacts
    ) => Effect.Effect<Slot | undefined, Refusal<"not_found" | "invalid_request">>
  }
>() {
  static readonly layer = Layer.effect(
    NextAvailable,
    Effect.gen(function*() {
      const availability = yield* Availability
      const offerings = yield* Offerings
      const orgs = yield* OrgStore
      const sessions = yield* SessionStore

      /** The first listed start with room from a date on. */
      const search = (
        query: AvailabilityQuery & { readonly known: AvailabilityFacts },
        { days = Array<number>(pieces).fill(daysOfPiece), facts, first, needed }: {
          readonly facts: PlaceFacts
          readonly first: LocalDate.LocalDate
          readonly needed: number
          readonly days?: ReadonlyArray<number>
        }
      ) =>
        Effect.gen(function*() {
          const last = facts.zone.dateAt(bookable(facts.offering, facts.zone, facts.now).before)
          let from = first
          let seen = 0
          for (const piece of days) {
            if (from > last || seen >= maxStarts) return undefined
            const to = LocalDate.addDays(from, piece - 1)
            const { slots } = yield* availability.get({ ...query, from, to })
            const free = slots.find(({ remaining }) => remaining >= needed)
            if (free !== undefined) return free
            seen += slots.length
            from = LocalDate.addDays(to, 1)
          }
          return undefined
        })

      return NextAvailable.of({
        next: ({ offering: key, periods, quantity }, known) =>
          Effect.gen(function*() {
            const offering = known?.offering ?? (yield* offerings.get(key))
            const org = known?.org ?? (yield* Effect.orDie(Effect.flatten(orgs.find(key.orgId))))
            const facts: PlaceFacts = { offering, zone: Zone.get(org.timezone), now: yield* currentTime }
            const query = { offering: key, periods, quantity, known: { offering, org } }
            const needed = weight(offering, quantity ?? 1)
            return yield* search(query, { facts, first: localToday(facts.zone, facts.now), needed, days: shortFirst })
          }),
        nothingFree: (query, listed) =>
          Effect.gen(function*() {
            const { offering: key, periods = 1, quantity = 1 } = query
            if (listed.some(({ remaining }) => remaining >= quantity)) return undefined
            const offering = yield* offerings.get(key)
            // A party takes one place of an appointment, however many they are.
            const needed = weight(offering, quantity)
            if (listed.some(({ remaining }) => remaining >= needed)) return undefined
            const org = yield* Effect.orDie(Effect.flatten(orgs.find(key.orgId)))
            const facts: PlaceFacts = { offering, zone: Zone.get(org.timezone), now: yield* currentTime }
            const dateNow = localToday(facts.zone, facts.now)
            const first = query.from ?? dateNow
            const after = LocalDate.addDays(query.to ?? LocalDate.addDays(first, 13), 1)
            const from = facts.zone.startOf(first)
            const to = facts.zone.startOf(after)
            const of = offering.kind === "class"
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
            const because = explainNoSlots(facts, { from, to, of, listed: listed.length })
            if (because === "paused") return { because }
            const next = yield* search({ ...query, known: { offering, org } }, {
              facts,
              first: LocalDate.make(Math.max(dateNow, after)),
              needed
            })
            return next === undefined ? { because } : { because, next }
          })
      })
    })
  )
}
