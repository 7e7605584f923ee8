import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"

/** The center of the generated instants: 2027-03-14T08:00Z, 1 hour before the clocks in Denver move forward. */
export const origin: Instant.Instant = Instant.make(Date.UTC(2027, 2, 14, 8))

const quarterMs = 15 * 60_000

/**
 * Instants at a few quarter hours, so that ties, touching ends, and equal spans are common. They also include the
 * milliseconds around each quarter hour, where bounds are error-prone.
 */
export const moment: FastCheck.Arbitrary<Instant.Instant> = FastCheck.tuple(
  FastCheck.integer({ min: -4, max: 8 }),
  FastCheck.oneof({ arbitrary: FastCheck.constant(0), weight: 6 }, {
    arbitrary: FastCheck.constantFrom(-1, 1),
    weight: 1
  })
).map(([quarters, ms]) => Instant.make(origin + quarters * quarterMs + ms))

/** Usually null, otherwise an instant. */
export const momentOrNull: FastCheck.Arbitrary<Instant.Instant | null> = FastCheck.oneof(
  { arbitrary: FastCheck.constant(null), weight: 3 },
  { arbitrary: moment, weight: 1 }
)

/** A half-open, nonempty interval of 15 minutes to several days. */
export const span = FastCheck.tuple(moment, FastCheck.constantFrom(1, 2, 4, 6, 96, 300)).map((
  [startsAt, quarters]
) => ({
  startsAt,
  endsAt: Instant.make(startsAt + quarters * quarterMs)
}))

/** One end of a range: a fixed instant, or the instant of the n-th row. */
export type EdgeMoment = { readonly at: Instant.Instant } | { readonly nth: number }

/** An edge that is usually a row's exact instant, because range bounds are error-prone there. */
export const edgeMoment: FastCheck.Arbitrary<EdgeMoment> = FastCheck.oneof(
  { arbitrary: moment.map((at): EdgeMoment => ({ at })), weight: 1 },
  { arbitrary: FastCheck.nat({ max: 30 }).map((nth): EdgeMoment => ({ nth })), weight: 2 }
)

/**
 * Resolves an edge to an instant. Returns undefined if there is no edge, or if the edge refers to a row and `moments`
 * is empty.
 */
export const resolveEdgeMoment = (
  edge: EdgeMoment | undefined,
  moments: ReadonlyArray<Instant.Instant>
): Instant.Instant | undefined =>
  edge === undefined ? undefined : "at" in edge ? edge.at : moments[edge.nth % moments.length]

/** Makes a filter optional and usually undefined, because several filters together rarely match anything. */
export const makeOptionalFilter = <A>(arbitrary: FastCheck.Arbitrary<A>) =>
  FastCheck.oneof({ arbitrary: FastCheck.constant(undefined), weight: 2 }, { arbitrary, weight: 1 })
