/**
 * Keeps time from going backward at a place. The clocks of two processes can differ, and a clock can be changed.
 * Without a guard, a hold could expire by one clock, and its place could be sold again. A process whose clock is behind
 * could then confirm the hold, and two guests would have the same seat.
 *
 * Each place (the row that is locked to sell capacity) therefore stores `judgedAt`, the latest expiry among the holds
 * that were ignored when capacity was sold there. Decisions use the later of `judgedAt` and the clock, so every process
 * treats such a hold as expired. The place does not store the clock itself: a clock that is a year ahead would expire
 * all holds there for a year (`docs/decisions/0004-capacity-rules.md`).
 */
import type * as Instant from "../time/Instant.ts"

/** A place: a session, or an offering without sessions. */
export interface PlaceClock {
  readonly judgedAt: Instant.Instant
}

/**
 * Advances a place's clock after a decision that ignored holds with an expiry up to `lapsedAt`. Returns the same
 * object if nothing changes.
 */
export const advancePlaceClock = <Place extends PlaceClock>(place: Place, lapsedAt: Instant.Instant | null): Place =>
  lapsedAt === null || lapsedAt <= place.judgedAt ? place : { ...place, judgedAt: lapsedAt }

/** Returns the time at which to decide at these places: the current time, or the latest `judgedAt` if that is later. */
export const getDecisionTime = (now: Instant.Instant, ...places: ReadonlyArray<PlaceClock>): Instant.Instant =>
  places.reduce((latest, { judgedAt }) => judgedAt > latest ? judgedAt : latest, now)
