import type { Instant } from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { moment } from "./moment.ts"

/** One end of a range: a fixed instant, or the instant of the n-th row. */
export type Edge = { readonly at: Instant } | { readonly nth: number }

/** The edge is usually a row's exact instant, where range bounds are error-prone. */
export const edge: FastCheck.Arbitrary<Edge> = FastCheck.oneof(
  { arbitrary: moment.map((at): Edge => ({ at })), weight: 1 },
  { arbitrary: FastCheck.nat({ max: 30 }).map((nth): Edge => ({ nth })), weight: 2 }
)

/** Resolves an edge among the given instants. Returns undefined if there are none. */
export const edgeInstant = (edge: Edge | undefined, moments: ReadonlyArray<Instant>): Instant | undefined =>
  edge === undefined ? undefined : "at" in edge ? edge.at : moments[edge.nth % moments.length]

/** Usually undefined, because a combination of several filters matches nothing. */
export const seldom = <A>(arbitrary: FastCheck.Arbitrary<A>) =>
  FastCheck.oneof({ arbitrary: FastCheck.constant(undefined), weight: 2 }, { arbitrary, weight: 1 })
