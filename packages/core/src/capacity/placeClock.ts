/**
 * Time never goes back at a place. Processes have clocks of their own, they differ
 * and they are set; were a hold over by one clock and its place sold again, then
 * confirmed by a clock that is behind, two would have one seat.
 *
 * So a place, that is the row that is locked to sell it, keeps `decidedUpTo`: the
 * latest end of a hold that was passed over there when something was sold.
 * Deciding goes by the later of that and the clock, so such a hold is over for
 * everybody from then on. It is not the latest clock itself: one that is a year
 * ahead would end all holds there for a year (`docs/decisions/0004-capacity-rules.md`).
 */
import type * as Instant from "../time/Instant.ts"

/** A session, for what it sells, or else an offering. */
export interface HasPlaceClock {
  readonly judgedAt: Instant.Instant
}

/**
 * The place after something was decided there that passed over holds which had
 * ended by `lapsedAt`; the same place when that is nothing new.
 */
export const advancePlaceClock = <Place extends HasPlaceClock>(place: Place, lapsedAt: Instant.Instant | null): Place =>
  lapsedAt === null || lapsedAt <= place.judgedAt ? place : { ...place, judgedAt: lapsedAt }

/** The moment at which to decide at these places, whatever the clock says. */
export const decisionTime = (now: Instant.Instant, ...places: ReadonlyArray<HasPlaceClock>): Instant.Instant =>
  places.reduce((latest, { judgedAt }) => judgedAt > latest ? judgedAt : latest, now)
