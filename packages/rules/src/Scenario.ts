/**
 * Scenarios at an outfitter: guests book, move, cancel, and retry, holds expire, and time passes. A step refers to rows
 * that exist when it runs (the second slot, the last booking), so a scenario stays valid if some of its steps are
 * removed.
 */
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import * as FastCheck from "effect/FastCheck"
import type { OfferingSetup } from "./OfferingSetup.ts"
import { parseTimestamp } from "./World.ts"

/** A start: the n-th listed start, or an edge case near it. */
export interface StartChoice {
  readonly nth: number
  readonly edge:
    | "listed"
    /**
     * The place of the n-th booking, the first listed start after it ends, and the last listed slot that ends before it
     * begins.
     */
    | "at-booking"
    | "after-booking"
    | "before-booking"
    /** One minute before and one minute after a listed start. */
    | "minute-early"
    | "minute-late"
    /** The start before the first listed start, with too little notice or no notice. */
    | "before-first"
    /** The start after the last listed start on a date. A booking at that start would end after closing. */
    | "after-last"
    /** A start on the last bookable date, and a start on the next date. */
    | "horizon"
    | "beyond-horizon"
}

/** A number of units (seats, people, or items) or of periods. */
export type QuantityChoice = "one" | "two" | "all-left" | "more-than-left" | "most" | "more-than-most"

/** The time that a step advances to. */
export type TimeTarget =
  | { readonly minutes: number }
  /**
   * Milliseconds relative to a boundary: the expiry of the n-th hold, the start of a booking, or a slot's notice limit.
   */
  | { readonly nth: number; readonly edge: "hold" | "start" | "notice"; readonly ms: number }

export type Step =
  | {
    readonly _tag: "Book"
    /** The index of the offering in the setup. */
    readonly offering: number
    readonly start: StartChoice
    readonly quantity: QuantityChoice
    readonly periods: QuantityChoice
    readonly holdMinutes: number | undefined
    readonly guest: number
    /** The number of guests who send the same request concurrently. */
    readonly atOnce: number
  }
  | { readonly _tag: "Move"; readonly booking: number; readonly start: StartChoice }
  | { readonly _tag: "Confirm"; readonly booking: number }
  | { readonly _tag: "Cancel"; readonly booking: number }
  /** Repeats the last booking request with the same key. */
  | { readonly _tag: "Retry" }
  | { readonly _tag: "CancelSession"; readonly session: number }
  | { readonly _tag: "Wait"; readonly until: TimeTarget }

export interface Scenario {
  readonly startTime: Instant.Instant
  readonly steps: ReadonlyArray<Step>
}

const weighted = <A>(weight: number, arbitrary: FastCheck.Arbitrary<A>) => ({ weight, arbitrary })
/** Shrinks toward the first alternative. */
const oneOfWeighted = <A>(
  ...alternatives: ReadonlyArray<{ readonly weight: number; readonly arbitrary: FastCheck.Arbitrary<A> }>
) => FastCheck.oneof({ withCrossShrink: true }, ...alternatives)
const oneOf = <const A>(...values: ReadonlyArray<A>) => FastCheck.constantFrom(...values)

/** Usually picks one of the first few slots, so that guests compete for them. Otherwise, picks any slot in a week. */
const lowIndex = oneOfWeighted(weighted(3, FastCheck.nat({ max: 2 })), weighted(1, FastCheck.nat({ max: 200 })))

const start: FastCheck.Arbitrary<StartChoice> = FastCheck.record({
  nth: lowIndex,
  edge: oneOfWeighted<StartChoice["edge"]>(
    weighted(9, oneOf("listed")),
    weighted(6, oneOf("at-booking", "after-booking", "before-booking")),
    weighted(6, oneOf("minute-early", "minute-late", "before-first", "after-last", "horizon", "beyond-horizon"))
  )
})

const amount: FastCheck.Arbitrary<QuantityChoice> = oneOfWeighted(
  weighted(6, oneOf("one")),
  weighted(6, oneOf("two", "all-left", "more-than-left", "most", "more-than-most"))
)

const periods: FastCheck.Arbitrary<QuantityChoice> = oneOfWeighted(
  weighted(6, oneOf("one")),
  weighted(3, oneOf("two", "most", "more-than-most"))
)

const until: FastCheck.Arbitrary<TimeTarget> = oneOfWeighted<TimeTarget>(
  weighted(1, oneOf(1, 30, 120, 1440).map((minutes) => ({ minutes }))),
  weighted(2, FastCheck.record({ nth: lowIndex, edge: oneOf("hold", "start", "notice"), ms: oneOf(0, -1, 1) }))
)

/** Usually picks one of the latest bookings, because recent steps used them. */
const booking = oneOfWeighted(weighted(2, FastCheck.nat({ max: 2 })), weighted(1, FastCheck.nat({ max: 20 })))

/** Generates weighted steps of every kind. The kinds of steps that a law is about are more frequent. */
const step = (setup: OfferingSetup, about: ReadonlyArray<Step["_tag"]>): FastCheck.Arbitrary<Step> => {
  const stepWeight = (weight: number, arbitrary: FastCheck.Arbitrary<Step>, tag: Step["_tag"]) =>
    weighted(about.includes(tag) ? 3 * weight : weight, arbitrary)
  const hasClasses = setup.offerings.some(({ kind }) => kind === "class")
  return oneOfWeighted<Step>(
    stepWeight(
      10,
      FastCheck.record({
        _tag: oneOf("Book"),
        offering: oneOfWeighted(weighted(3, oneOf(0)), weighted(2, FastCheck.nat({ max: maxOfferings - 1 }))),
        start,
        quantity: amount,
        periods,
        holdMinutes: about.includes("Confirm") ? oneOf(undefined, 5, 5, 30) : oneOf(undefined, undefined, 5, 30, 1440),
        guest: FastCheck.nat({ max: 2 }),
        atOnce: oneOf(1, 1, 1, 2, 4)
      }),
      "Book"
    ),
    stepWeight(3, FastCheck.record({ _tag: oneOf("Wait"), until }), "Wait"),
    stepWeight(4, FastCheck.record({ _tag: oneOf("Move"), booking, start }), "Move"),
    stepWeight(2, FastCheck.record({ _tag: oneOf("Cancel"), booking }), "Cancel"),
    stepWeight(2, FastCheck.record({ _tag: oneOf("Confirm"), booking }), "Confirm"),
    stepWeight(1, FastCheck.record({ _tag: oneOf("Retry") }), "Retry"),
    ...(hasClasses
      ? [
        stepWeight(
          1,
          FastCheck.record({ _tag: oneOf("CancelSession"), session: FastCheck.nat({ max: 3 }) }),
          "CancelSession"
        )
      ]
      : [])
  )
}

/** The maximum number of offerings. With more, few of a scenario's bookings would compete for the same place. */
const maxOfferings = 3

/**
 * Generates scenarios for some of an outfitter's offerings. Each scenario starts near an edge case. If `focus` is set,
 * most steps concern that offering.
 */
export const scenarioArbitrary = (
  setup: OfferingSetup,
  about: ReadonlyArray<Step["_tag"]>,
  focus?: number
): FastCheck.Arbitrary<Scenario> =>
  FastCheck.record({
    startTime: startTimeArbitrary(setup),
    offered: FastCheck.uniqueArray(FastCheck.nat({ max: setup.offerings.length - 1 }), {
      minLength: 1,
      maxLength: maxOfferings
    }).map((indexes) => focus === undefined ? indexes : [focus, ...indexes.slice(0, 1)]),
    // Without `noBias`, fast-check starts with short lists, and short scenarios contain few events.
    steps: FastCheck.noBias(
      FastCheck.array(step(setup, about), { minLength: 1, maxLength: setup.steps ?? 20, size: "max" })
    )
  }).map(({ offered, startTime, steps }) => ({
    startTime,
    steps: steps.map((step) =>
      step._tag === "Book" ? { ...step, offering: offered[step.offering % offered.length] ?? 0 } : step
    )
  }))

const hourMs = 3_600_000
const hoursPerWeek = 168
const weeksPerYear = 53

/** Returns the DST transitions within a year of an instant, to the hour. */
export const findClockChanges = (zone: Zone.Zone, from: Instant.Instant): ReadonlyArray<Instant.Instant> => {
  const first = Math.floor(from / hourMs)
  const offsetAt = (hour: number) => zone.offsetAt(Instant.make(hour * hourMs))
  // Search in one-week steps, because some zones change their clocks and change them back within a month.
  return Array.from({ length: weeksPerYear }, (_, week) => first + week * hoursPerWeek).flatMap((start) => {
    if (offsetAt(start) === offsetAt(start + hoursPerWeek)) return []
    let [before, after] = [start, start + hoursPerWeek]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (offsetAt(middle) === offsetAt(start)) before = middle
      else after = middle
    }
    return [Instant.make(after * hourMs)]
  })
}

/**
 * Generates the start times of scenarios. A scenario starts 1 to 30 hours before a session, a DST transition, or an
 * ordinary day. In some scenarios, an offering's notice is added to these hours.
 */
export const startTimeArbitrary = (outfit: OfferingSetup): FastCheck.Arbitrary<Instant.Instant> => {
  const sessions = outfit.offerings.flatMap(({ sessions = [] }) =>
    sessions.map(({ starts_at }) => parseTimestamp(starts_at))
  )
  const first = sessions.length === 0 ? Instant.make(Date.UTC(2027, 0, 1)) : Instant.make(Math.min(...sessions))
  const from = outfit.from === undefined ? first : parseTimestamp(outfit.from)
  const changes = findClockChanges(Zone.get(outfit.timezone), from)
  // A class with configured sessions cannot be booked on other days.
  const hasFixedStarts = sessions.length > 0 &&
    outfit.offerings.every((offering) => offering.kind === "class" && offering.sessions !== undefined)
  const anchors = hasFixedStarts
    ? [FastCheck.constantFrom(...sessions)]
    : [[from], changes, sessions].filter(({ length }) => length > 0).map((some) => FastCheck.constantFrom(...some))
  const notices = outfit.offerings.map(({ min_notice_minutes = 0 }) => min_notice_minutes)
  return FastCheck.tuple(
    FastCheck.oneof({ withCrossShrink: true }, ...anchors),
    FastCheck.constantFrom(1, 12, 24, 30),
    FastCheck.constantFrom(...new Set([0, ...notices]))
  ).map(([anchor, hours, noticeMinutes]) => Instant.make(anchor - hours * hourMs - noticeMinutes * 60_000))
}
