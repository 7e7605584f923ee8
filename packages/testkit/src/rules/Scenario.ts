/**
 * What happens at an outfitter: guests book, move, cancel and come back, holds
 * run out, time passes. A step says what is wanted in terms of what there will
 * be at its turn (the second slot, the last booking), so a story still makes
 * sense when some of its steps are left out.
 */
import type { Instant } from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import type { OfferingSetup } from "./OfferingSetup.ts"
import { startTimes } from "./startTimes.ts"

/** A start: the n-th that is listed, or one beside it that is an edge. */
export interface Start {
  readonly nth: number
  readonly edge:
    | "listed"
    /** Where the n-th booking is; the first listed start after it ends, and the last that ends before it starts. */
    | "at-booking"
    | "after-booking"
    | "before-booking"
    /** A minute off the grid. */
    | "minute-early"
    | "minute-late"
    /** The start before the first that is listed, which has too little notice or none. */
    | "before-first"
    /** The start after the last of its date, which does not fit before closing. */
    | "after-last"
    /** A start of the last date that may be booked, and of the date after it. */
    | "horizon"
    | "beyond-horizon"
}

/** How many: of seats, people and items, or of periods. */
export type Amount = "one" | "two" | "all-left" | "more-than-left" | "most" | "more-than-most"

/** Until when time passes. */
export type Until =
  | { readonly minutes: number }
  /** Milliseconds from a moment that counts: when the n-th hold expires, a booking starts, a slot's notice is up. */
  | { readonly nth: number; readonly edge: "hold" | "start" | "notice"; readonly ms: number }

export type Step =
  | {
    readonly _tag: "Book"
    /** Which of the outfit's. */
    readonly offering: number
    readonly start: Start
    readonly quantity: Amount
    readonly periods: Amount
    readonly holdMinutes: number | undefined
    readonly guest: number
    /** How many guests ask for the same at once. */
    readonly atOnce: number
  }
  | { readonly _tag: "Move"; readonly booking: number; readonly start: Start }
  | { readonly _tag: "Confirm"; readonly booking: number }
  | { readonly _tag: "Cancel"; readonly booking: number }
  /** Sends the last booking's request again, under its key. */
  | { readonly _tag: "Retry" }
  | { readonly _tag: "CancelSession"; readonly session: number }
  | { readonly _tag: "Wait"; readonly until: Until }

export interface Scenario {
  readonly begins: Instant
  readonly steps: ReadonlyArray<Step>
}

const weighing = <A>(weight: number, arbitrary: FastCheck.Arbitrary<A>) => ({ weight, arbitrary })
/** It shrinks to the first. */
const among = <A>(...some: ReadonlyArray<{ readonly weight: number; readonly arbitrary: FastCheck.Arbitrary<A> }>) =>
  FastCheck.oneof({ withCrossShrink: true }, ...some)
const one = <const A>(...values: ReadonlyArray<A>) => FastCheck.constantFrom(...values)

/** Mostly the first few, so that guests compete; else any of a week. */
const early = among(weighing(3, FastCheck.nat({ max: 2 })), weighing(1, FastCheck.nat({ max: 200 })))

const start: FastCheck.Arbitrary<Start> = FastCheck.record({
  nth: early,
  edge: among<Start["edge"]>(
    weighing(9, one("listed")),
    weighing(6, one("at-booking", "after-booking", "before-booking")),
    weighing(6, one("minute-early", "minute-late", "before-first", "after-last", "horizon", "beyond-horizon"))
  )
})

const amount: FastCheck.Arbitrary<Amount> = among(
  weighing(6, one("one")),
  weighing(6, one("two", "all-left", "more-than-left", "most", "more-than-most"))
)

const periods: FastCheck.Arbitrary<Amount> = among(
  weighing(6, one("one")),
  weighing(3, one("two", "most", "more-than-most"))
)

const until: FastCheck.Arbitrary<Until> = among<Until>(
  weighing(1, one(1, 30, 120, 1440).map((minutes) => ({ minutes }))),
  weighing(2, FastCheck.record({ nth: early, edge: one("hold", "start", "notice"), ms: one(0, -1, 1) }))
)

/** Mostly the youngest, which steps before were about. */
const booking = among(weighing(2, FastCheck.nat({ max: 2 })), weighing(1, FastCheck.nat({ max: 20 })))

/** Steps of each kind and how often they come; those that a law is about come more often. */
const step = (outfit: OfferingSetup, about: ReadonlyArray<Step["_tag"]>): FastCheck.Arbitrary<Step> => {
  const often = (weight: number, arbitrary: FastCheck.Arbitrary<Step>, tag: Step["_tag"]) =>
    weighing(about.includes(tag) ? 3 * weight : weight, arbitrary)
  const classes = outfit.offerings.some(({ kind }) => kind === "class")
  return among<Step>(
    often(
      10,
      FastCheck.record({
        _tag: one("Book"),
        offering: among(weighing(3, one(0)), weighing(2, FastCheck.nat({ max: mostOfferings - 1 }))),
        start,
        quantity: amount,
        periods,
        holdMinutes: about.includes("Confirm") ? one(undefined, 5, 5, 30) : one(undefined, undefined, 5, 30, 1440),
        guest: FastCheck.nat({ max: 2 }),
        atOnce: one(1, 1, 1, 2, 4)
      }),
      "Book"
    ),
    often(3, FastCheck.record({ _tag: one("Wait"), until }), "Wait"),
    often(4, FastCheck.record({ _tag: one("Move"), booking, start }), "Move"),
    often(2, FastCheck.record({ _tag: one("Cancel"), booking }), "Cancel"),
    often(2, FastCheck.record({ _tag: one("Confirm"), booking }), "Confirm"),
    often(1, FastCheck.record({ _tag: one("Retry") }), "Retry"),
    ...(classes
      ? [
        often(1, FastCheck.record({ _tag: one("CancelSession"), session: FastCheck.nat({ max: 3 }) }), "CancelSession")
      ]
      : [])
  )
}

/** With more of them, hardly two bookings of a story would meet. */
const mostOfferings = 3

/**
 * Stories about some of an outfitter's offerings, begun where something is to
 * be got wrong; mostly about the offering at `focus`, where that is given.
 */
export const scenarioArbitrary = (
  outfit: OfferingSetup,
  about: ReadonlyArray<Step["_tag"]>,
  focus?: number
): FastCheck.Arbitrary<Scenario> =>
  FastCheck.record({
    begins: startTimes(outfit),
    offered: FastCheck.uniqueArray(FastCheck.nat({ max: outfit.offerings.length - 1 }), {
      minLength: 1,
      maxLength: mostOfferings
    }).map((some) => focus === undefined ? some : [focus, ...some.slice(0, 1)]),
    // Left to itself fast-check begins with short lists, and nothing happens in a short story.
    steps: FastCheck.noBias(
      FastCheck.array(step(outfit, about), { minLength: 1, maxLength: outfit.steps ?? 20, size: "max" })
    )
  }).map(({ begins, offered, steps }) => ({
    begins,
    steps: steps.map((step) =>
      step._tag === "Book" ? { ...step, offering: offered[step.offering % offered.length] ?? 0 } : step
    )
  }))
