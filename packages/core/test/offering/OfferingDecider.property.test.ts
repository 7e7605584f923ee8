import * as Decider from "@trailbook/core/Decider"
import * as Offering from "@trailbook/core/offering/Offering"
import { type OfferingCommand, offeringDecider, type OfferingEvent } from "@trailbook/core/offering/OfferingDecider"
import { makeOfferingEvent } from "@trailbook/core/offering/Offerings"
import { hoursEntryView, offeringView } from "@trailbook/core/offering/OfferingView"
import type { Refusal } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { moment } from "../generators/booking.ts"
import { daily, entry, hours } from "../generators/hours.ts"
import { offering, settings } from "../generators/offering.ts"

/** Some of the settings. `lat` and `lon` appear together or not at all. */
const patch: FastCheck.Arbitrary<Partial<Offering.OfferingSettings>> = FastCheck.tuple(
  settings,
  FastCheck.func(FastCheck.boolean())
).map(([{ lat, lon, ...settings }, isGiven]) => ({
  ...Object.fromEntries(Object.entries(settings).filter(([key]) => isGiven(key))),
  ...(isGiven("place") ? { lat, lon } : {})
}))

const command: FastCheck.Arbitrary<OfferingCommand> = FastCheck.oneof(
  patch.map((patch) => ({ _tag: "Update" as const, patch })),
  hours.map((hours) => ({ _tag: "SetHours" as const, hours })),
  FastCheck.record({
    _tag: FastCheck.constant("Delete" as const),
    now: moment,
    upcoming: FastCheck.nat(2),
    holds: FastCheck.nat(2),
    cancelBookings: FastCheck.boolean()
  })
)

type Answer = Either.Either<Decider.Decision<Offering.Offering, OfferingEvent>, Refusal>

const run = (offering: Offering.Offering, command: OfferingCommand): Answer =>
  Decider.run(offeringDecider)(offering, command)

const refusal = (answer: Answer): string | undefined =>
  Either.isLeft(answer) ? `${answer.left.code} ${answer.left.message}` : undefined

// 1970-01-07
const wednesday = LocalDate.make(6)

describe("an offering", () => {
  it("is updated with only the given fields", () => {
    FastCheck.assert(
      FastCheck.property(offering, patch, (offering, patch) => {
        const { events, state } = Either.getOrThrow(run(offering, { _tag: "Update", patch }))
        expect(state).toEqual({ ...offering, ...patch })
        expect(events).toHaveLength(JSON.stringify(state) === JSON.stringify(offering) ? 0 : 1)
        expect(Either.getOrThrow(run(state, { _tag: "Update", patch })).events).toEqual([])
      }),
      { numRuns: 300 }
    )
  })

  it("requires both a latitude and a longitude, or neither", () => {
    FastCheck.assert(
      FastCheck.property(
        offering,
        FastCheck.constantFrom(null, 1),
        FastCheck.constantFrom(null, 2),
        (offering, lat, lon) => {
          const half = (lat === null) !== (lon === null)
          const message = half
            ? "invalid_request lat: set the latitude and the longitude together, or omit both"
            : undefined
          expect(refusal(run(offering, { _tag: "Update", patch: { lat, lon } }))).toBe(message)
          expect(refusal(run({ ...offering, lat, lon }, { _tag: "Create" }))).toBe(message)
        }
      )
    )
  })

  it("accepts new opening hours unless it is a class", () => {
    FastCheck.assert(
      FastCheck.property(offering, hours, (offering, hours) => {
        const answer = run(offering, { _tag: "SetHours", hours })
        if (offering.kind === "class") {
          expect(refusal(answer)).toMatch(/^wrong_kind /)
          return
        }
        const { state } = Either.getOrThrow(answer)
        expect(state).toEqual({ ...offering, hours })
        expect(Either.getOrThrow(run(state, { _tag: "SetHours", hours })).events).toEqual([])
      }),
      { numRuns: 200 }
    )
  })

  it.each([[36_000, 36_000], [36_000, 32_400], [86_400, 86_400], [86_400, 0]])(
    "rejects opening hours from second %i to second %i",
    (start, end) => {
      const raft = Offering.make({ id: "o", orgId: "org", kind: "rental", name: "Raft", createdAt: Instant.min })
      const error = refusal(run(raft, { _tag: "SetHours", hours: [entry(1, 0, 86_400), entry(2, start, end)] }))
      expect(error).toMatch(/^invalid_request hours\.1\.end_time: must be after start_time/)
    }
  )

  it.each([
    ["date: set either date, or valid_from and valid_until", { date: wednesday, validUntil: wednesday }],
    ["weekday: must be the weekday of date, or omitted", { date: LocalDate.addDays(wednesday, 1) }],
    ["valid_until: must not be before valid_from", {
      validFrom: wednesday,
      validUntil: LocalDate.addDays(wednesday, -1)
    }],
    [undefined, { validFrom: wednesday, validUntil: wednesday }],
    [undefined, { date: wednesday }]
  ])("validates the season or date of opening hours: %s", (message, limits) => {
    const raft = Offering.make({ id: "o", orgId: "org", kind: "rental", name: "Raft", createdAt: Instant.min })
    const hours = [entry(1, 0, 86_400), { ...entry(3, 0, 86_400), ...limits }]
    expect(refusal(run(raft, { _tag: "SetHours", hours })))
      .toBe(message === undefined ? undefined : `invalid_request hours.1.${message}`)
  })

  it("is deleted with live bookings only if the caller agrees to cancel them", () => {
    const counts = FastCheck.record({ upcoming: FastCheck.nat(2), holds: FastCheck.nat(2), now: moment })
    FastCheck.assert(
      FastCheck.property(
        offering,
        counts,
        FastCheck.boolean(),
        (offering, { holds, now, upcoming }, cancelBookings) => {
          const answer = run(offering, { _tag: "Delete", now, upcoming, holds, cancelBookings })
          if (upcoming + holds > 0 && !cancelBookings) {
            expect(refusal(answer)).toMatch(/^has_bookings /)
            expect(refusal(answer)).toContain(`${upcoming} upcoming booking`)
            expect(refusal(answer)).toContain(`${holds} hold`)
          } else {
            expect(Either.getOrThrow(answer).state).toEqual({ ...offering, active: false, deletedAt: now })
          }
        }
      )
    )
  })

  it("equals the result of replaying its events", () => {
    FastCheck.assert(
      FastCheck.property(offering, FastCheck.array(command, { maxLength: 8 }), (first, commands) => {
        let state = first
        const events: Array<OfferingEvent> = []
        for (const command of commands) {
          const decision = run(state, command)
          if (Either.isLeft(decision)) continue
          events.push(...decision.right.events)
          ;({ state } = decision.right)
          for (const { _tag } of decision.right.events) {
            const hours = _tag === "offering.hours_updated" ? { hours: state.hours.map(hoursEntryView) } : {}
            const { data, orgId, type } = makeOfferingEvent(state, _tag, first.createdAt)
            expect({ data, orgId, type }).toEqual({
              data: { ...offeringView(state), ...hours },
              orgId: first.orgId,
              type: _tag
            })
          }
        }
        expect(events.reduce(offeringDecider.evolve, first)).toEqual(state)
      }),
      { numRuns: 200 }
    )
  })
})

describe("a new offering without settings", () => {
  const sharedFields = {
    price_cents: 0,
    slot_interval_minutes: null,
    buffer_minutes: 0,
    min_notice_minutes: 0,
    max_advance_days: 365,
    description: "",
    location: "",
    active: true,
    metadata: {},
    lat: null,
    lon: null,
    gauge_site: null
  }

  it.each([
    ["class" as const, { duration_minutes: 120, capacity: 10, max_per_booking: 10, max_periods: 1 }, []],
    [
      "appointment" as const,
      { duration_minutes: 60, capacity: 1, max_per_booking: 10, max_periods: 1 },
      daily(32_400, 61_200)
    ],
    [
      "rental" as const,
      { duration_minutes: 1440, capacity: 1, max_per_booking: 10, max_periods: 30 },
      daily(32_400, 61_200)
    ]
  ])("has the defaults of the kind %s", (kind, ownFields, hours) => {
    const offering = Offering.make({ id: "o", orgId: "org", kind, name: "Raft", createdAt: Instant.min })
    expect(offeringView(offering)).toEqual({
      id: "o",
      org_id: "org",
      kind,
      name: "Raft",
      pricing: null,
      photos: [],
      info: { bring: "", requirements: "", min_age: null, waiver_url: null },
      cancellation_policy: null,
      created_at: "1970-01-01T00:00:00.000Z",
      ...sharedFields,
      ...ownFields
    })
    expect(offering.hours).toEqual(hours)
  })
})
