import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"

/**
 * Around which generated moments lie: 2027-03-14T08:00Z, two hours before the
 * clocks of Denver go forward.
 */
export const origin: Instant.Instant = Instant.make(Date.UTC(2027, 2, 14, 8))

const quarterMs = 15 * 60_000

/**
 * Few quarters of an hour, so that ties, touching ends and equal spans are
 * common, and the milliseconds beside them, where bounds are got wrong.
 */
export const moment: FastCheck.Arbitrary<Instant.Instant> = FastCheck.tuple(
  FastCheck.integer({ min: -4, max: 8 }),
  FastCheck.oneof({ arbitrary: FastCheck.constant(0), weight: 6 }, {
    arbitrary: FastCheck.constantFrom(-1, 1),
    weight: 1
  })
).map(([quarters, ms]) => Instant.make(origin + quarters * quarterMs + ms))

/** Null more often than not. */
export const momentOrNull: FastCheck.Arbitrary<Instant.Instant | null> = FastCheck.oneof(
  { arbitrary: FastCheck.constant(null), weight: 3 },
  { arbitrary: moment, weight: 1 }
)

/** Half-open, never empty, from a quarter of an hour to some days. */
export const span = FastCheck.tuple(moment, FastCheck.constantFrom(1, 2, 4, 6, 96, 300)).map((
  [startsAt, quarters]
) => ({
  startsAt,
  endsAt: Instant.make(startsAt + quarters * quarterMs)
}))
