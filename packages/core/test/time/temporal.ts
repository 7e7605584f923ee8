/** The rules of `Zone`, implemented with Temporal. Wall times are milliseconds since 1970-01-01T00:00 local time. */
import { Temporal } from "temporal-polyfill"

export const wallAt = (zone: string, instant: number): number => {
  const { day, hour, millisecond, minute, month, second, year } = zoned(zone, instant)
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond)
}

export const instantOf = (zone: string, wall: number): number => {
  const at = new Date(wall)
  const [hour, minute, second] = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()]
  return new Temporal.PlainDateTime(...dateOf(at), hour, minute, second, at.getUTCMilliseconds()).toZonedDateTime(
    zone,
    {
      disambiguation: "compatible"
    }
  ).epochMilliseconds
}

export const startOf = (zone: string, days: number): number =>
  new Temporal.PlainDate(...dateOf(new Date(days * 86_400_000))).toZonedDateTime(zone).epochMilliseconds

export const addDays = (zone: string, instant: number, days: number): number =>
  zoned(zone, instant).add({ days }).epochMilliseconds

/** Returns the instants in [from, to) when the offset changes. */
export const changes = (zone: string, from: number, to: number): ReadonlyArray<number> => {
  const instants: Array<number> = []
  let next = zoned(zone, from - 1).getTimeZoneTransition("next")
  while (next !== null && next.epochMilliseconds < to) {
    instants.push(next.epochMilliseconds)
    next = next.getTimeZoneTransition("next")
  }
  return instants
}

const zoned = (zone: string, instant: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)

const dateOf = (at: Date): [year: number, month: number, day: number] => [
  at.getUTCFullYear(),
  at.getUTCMonth() + 1,
  at.getUTCDate()
]
