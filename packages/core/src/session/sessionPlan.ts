/**
 * Plans the departures for a season: start times on the chosen weekdays between two dates. Each start has the first of
 * these outcomes that applies: `past`, `existing` (the start has a session, scheduled or canceled), `closed`, or
 * `created`. Repeating a plan therefore never creates a session twice or restores a canceled one.
 */
import * as Either from "effect/Either"
import { invalid, type Refusal } from "../Refusal.ts"
import type * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import type { LocalTime } from "../time/LocalTime.ts"
import { addLocalDays, type Zone } from "../time/Zone.ts"

export const startOutcomes = ["past", "existing", "closed", "created"] as const

export interface SessionPlan {
  /** 0 = Sunday … 6 = Saturday */
  readonly weekdays: ReadonlyArray<number>
  /** The wall times of the starts, each before 24:00. */
  readonly times: ReadonlyArray<LocalTime>
  /** The first and the last date, inclusive. */
  readonly fromDate: LocalDate.LocalDate
  readonly toDate: LocalDate.LocalDate
  readonly exceptDates: ReadonlyArray<LocalDate.LocalDate>
}

export interface PlannedStart {
  readonly startsAt: Instant.Instant
  readonly outcome: (typeof startOutcomes)[number]
  /** The existing or created session. Null if the start has no session. */
  readonly sessionId: string | null
}

export const maxPlannedDays = 366
export const maxPlannedSessions = 1000

/** Returns the distinct starts of a plan, in ascending order. A wall time that the zone skips moves forward. */
export const listPlannedStarts = (
  { exceptDates, fromDate, times, toDate, weekdays }: SessionPlan,
  zone: Zone
): Either.Either<ReadonlyArray<Instant.Instant>, Refusal<"invalid_request">> => {
  if (toDate < fromDate) return Either.left(invalid("to_date: must not be before from_date"))
  if (toDate - fromDate >= maxPlannedDays) {
    return Either.left(invalid(`to_date: a plan can span at most ${maxPlannedDays} days`))
  }
  if (times.some((time) => time >= 86_400)) return Either.left(invalid("times: must be before 24:00"))
  const starts = new Set<Instant.Instant>()
  for (let date = fromDate; date <= toDate; date = LocalDate.addDays(date, 1)) {
    const isSkippedByZone = zone.startOf(date) === zone.startOf(LocalDate.addDays(date, 1))
    if (isSkippedByZone || !weekdays.includes(LocalDate.weekday(date)) || exceptDates.includes(date)) continue
    for (const time of times) starts.add(zone.instantAt(date, time))
  }
  return starts.size > maxPlannedSessions
    ? Either.left(
      invalid(`times: a plan can have at most ${maxPlannedSessions} sessions, but this plan has ${starts.size}`)
    )
    : Either.right([...starts].sort((a, b) => a - b))
}

/** Returns each start's outcome. `newId` is called for each session to create. In a preview, `newId` returns null. */
export const decideStartOutcomes = (
  starts: ReadonlyArray<Instant.Instant>,
  { existing, isClosed, newId, now }: {
    readonly now: Instant.Instant
    /** The class's sessions at these starts, keyed by start. */
    readonly existing: ReadonlyMap<Instant.Instant, string>
    readonly isClosed: (startsAt: Instant.Instant) => boolean
    readonly newId: () => string | null
  }
): ReadonlyArray<PlannedStart> =>
  starts.map((startsAt) => {
    if (startsAt <= now) return { startsAt, outcome: "past", sessionId: null }
    const sessionId = existing.get(startsAt)
    if (sessionId !== undefined) return { startsAt, outcome: "existing", sessionId }
    return isClosed(startsAt)
      ? { startsAt, outcome: "closed", sessionId: null }
      : { startsAt, outcome: "created", sessionId: newId() }
  })

/**
 * Returns `weeks` starts, including the first start. The starts are 7 local calendar days apart at the same wall time,
 * regardless of clock changes.
 */
export const listWeeklyStarts = (
  zone: Zone,
  startsAt: Instant.Instant,
  weeks: number
): ReadonlyArray<Instant.Instant> =>
  Array.from({ length: weeks }, (_, week) => week === 0 ? startsAt : addLocalDays(zone, startsAt, week * 7))
