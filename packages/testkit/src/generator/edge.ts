import type { Instant } from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { moment } from "./moment.ts"

/** The end of a range: a moment that is given, or that of the n-th of some rows. */
export type Edge = { readonly at: Instant } | { readonly nth: number }

/** Mostly the moment of a row itself, which is where ends of ranges are got wrong. */
export const edge: FastCheck.Arbitrary<Edge> = FastCheck.oneof(
  { arbitrary: moment.map((at): Edge => ({ at })), weight: 1 },
  { arbitrary: FastCheck.nat({ max: 30 }).map((nth): Edge => ({ nth })), weight: 2 }
)

/** The moment that an edge means among these; none when there are none. */
export const edgeInstant = (edge: Edge | undefined, moments: ReadonlyArray<Instant>): Instant | undefined =>
  edge === undefined ? undefined : "at" in edge ? edge.at : moments[edge.nth % moments.length]

/** Mostly left out: filters on top of each other leave nothing to look at. */
export const seldom = <A>(arbitrary: FastCheck.Arbitrary<A>) =>
  FastCheck.oneof({ arbitrary: FastCheck.constant(undefined), weight: 2 }, { arbitrary, weight: 1 })
