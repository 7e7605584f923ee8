/** Snooze times: some hours from now, 8 AM local time on another day, or a custom time. */
import { invalid, type Refusal } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import type { Form } from "@trailbook/http/form"
import * as Either from "effect/Either"
import { readMoment } from "../parts/moments.ts"

const hours = 3
const morning = 8 * 3600

export const snoozedUntil = (
  { snooze, until = "" }: Form,
  timezone: string,
  now: Instant.Instant
): Either.Either<Instant.Instant, Refusal> => {
  const zone = Zone.get(timezone)
  const today = zone.dateAt(now)
  if (snooze === "hours") return Either.right(Instant.addMinutes(now, hours * 60))
  if (snooze === "tomorrow") return Either.right(zone.instantAt(LocalDate.addDays(today, 1), morning))
  if (snooze === "monday") return Either.right(zone.instantAt(LocalDate.addDays(today, toMonday(today)), morning))
  return Either.flatMap(
    readMoment("until", until, timezone),
    (at) => at > now ? Either.right(at) : Either.left(invalid("until: must be later than now"))
  )
}

/** Days until the next Monday, from 1 to 7. */
const toMonday = (date: LocalDate.LocalDate): number => {
  const weekday = new Date(`${LocalDate.format(date)}T12:00:00Z`).getUTCDay()
  return (8 - weekday) % 7 || 7
}
