import { invalid, type Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import { availabilityGet } from "@trailbook/core/availability"
import { offeringsList } from "@trailbook/core/offering"
import { orgGet } from "@trailbook/core/org"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import type { Call } from "../Calls.ts"
import { localTime } from "../tool/localTimes.ts"

interface SlotQuery {
  readonly date?: string
  readonly people?: string
  readonly what?: string
}

/** The maximum number of offerings to search, because each offering costs a query. */
const maxOfferings = 8
/** The maximum number of available start times per offering. */
const maxStarts = 20
const daysAround = 3
const limit = 500

/**
 * Finds available start times within three days of a date. An appointment is available to any party size that it
 * allows. Other offerings must have enough capacity left for all people.
 */
export const nearbySlots = (call: Call) => (actor: Actor["Type"], { date, people: text, what = "" }: SlotQuery) =>
  Effect.gen(function*() {
    const people = yield* peopleOf(text)
    const org = yield* call(actor, orgGet, {})
    const zone = Zone.get(org.timezone)
    const now = yield* currentTime
    const today = zone.dateAt(now)
    const target = date === undefined ? today : LocalDate.parse(date)
    if (target === undefined) return yield* invalid("date: must be a valid date in the format YYYY-MM-DD")
    const from = LocalDate.make(Math.max(today, target - daysAround))
    const to = LocalDate.make(Math.max(from, target + daysAround))
    const { data } = yield* call(actor, offeringsList, { limit })
    const candidates = data.filter(({ active, max_per_booking, name }) =>
      active && max_per_booking >= people && name.toLowerCase().includes(what.trim().toLowerCase())
    )
    const offerings = yield* Effect.forEach(candidates.slice(0, maxOfferings), (offering) =>
      Effect.map(
        call(actor, availabilityGet, { id: offering.id, from: LocalDate.format(from), to: LocalDate.format(to) }),
        ({ data }) => ({
          offering: offering.name,
          offering_id: offering.id,
          kind: offering.kind,
          price_cents: offering.price_cents,
          price_is: priceIs[offering.kind],
          free: data
            .filter(({ remaining }) => remaining >= (offering.kind === "appointment" ? 1 : people))
            .slice(0, maxStarts)
            .map(({ remaining, session_id, starts_at }) => ({
              time: localTime(zone, Instant.parse(starts_at) ?? Instant.min),
              remaining,
              ...(session_id === undefined ? { starts_at } : { session_id })
            }))
        })
      ))
    return {
      outfitter: org.name,
      timezone: zone.name,
      currency: org.currency,
      now: localTime(zone, now),
      people,
      from: LocalDate.format(from),
      to: LocalDate.format(to),
      offerings,
      ...(candidates.length > maxOfferings ? { more_offerings: candidates.length - maxOfferings } : {})
    }
  })

const priceIs = { class: "per seat", appointment: "per booking", rental: "per item and period" }

const peopleOf = (text = "1"): Effect.Effect<number, Refusal> => {
  const people = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0
  return people >= 1 && people <= 10_000
    ? Effect.succeed(people)
    : Effect.fail(invalid("people: must be a whole number from 1 to 10000"))
}
