/**
 * A time zone: what the clocks of a place show at an instant, and which instant
 * they mean. The rules:
 *
 * - A wall time that the clocks skip moves forward by the length of the gap.
 * - A wall time that they show twice means its first occurrence.
 * - A local date begins at the first instant at which the date there is that one
 *   or a later one; so a date that the zone jumped over is empty.
 *
 * These are the rules of RFC 5545 for DATE-TIME and of Temporal's `compatible`
 * and `startOfDay`.
 */
import { millisPerDay } from "./calendar.ts"
import * as Instant from "./Instant.ts"
import * as LocalDate from "./LocalDate.ts"
import type { Offsets } from "./Offsets.ts"
import { runtimeOffsets } from "./runtimeOffsets.ts"

/**
 * The clocks of one place. Lookups cost some ten nanoseconds once the years
 * around them have been read from the runtime.
 *
 * @category models
 */
export interface Zone {
  /** The IANA name, spelled as it was asked for. */
  readonly name: string

  /** Milliseconds to add to `instant` for its wall time: positive east of Greenwich. */
  readonly offsetAt: (instant: Instant.Instant) => number

  /** The date and time that the clocks show. */
  readonly wallAt: (instant: Instant.Instant) => Wall

  /** The date that the clocks show; as `wallAt`, but it makes no object. */
  readonly dateAt: (instant: Instant.Instant) => LocalDate.LocalDate

  /** The instant that a wall time means, by the rules above. 86400 seconds are the midnight after `date`. */
  readonly instantAt: (date: LocalDate.LocalDate, secondOfDay: number) => Instant.Instant

  /** `instantAt` with milliseconds. It takes back `wallAt`, except for the second occurrence of a wall time. */
  readonly instantAtWall: (wall: Wall) => Instant.Instant

  /**
   * The first instant whose local date is `date` or later. Where clocks go back over midnight (no zone has had it since
   * 2011), the hour repeated belongs to the new date by this rule, although `dateAt` names the old one once more.
   */
  readonly startOf: (date: LocalDate.LocalDate) => Instant.Instant
}

/**
 * What a calendar and a clock on the wall show.
 *
 * @category models
 */
export interface Wall {
  readonly date: LocalDate.LocalDate
  /** Milliseconds since midnight by the clock, not of elapsed time. */
  readonly millisOfDay: number
}

/**
 * The zone of a name that the runtime's `Intl` knows; upper and lower case count
 * alike, as they do in IANA's names. `undefined` for other names, more than 64
 * characters, and offsets such as `+01:00`, which some runtimes take.
 *
 * @example
 * import * as Zone from "@trailbook/core/time/Zone"
 *
 * Zone.find("America/Denver")?.name // "America/Denver"
 * Zone.find("America/Nowhere") // undefined
 *
 * @category constructors
 */
export const find = (name: string): Zone | undefined => {
  const known = zones.get(name)
  if (known !== undefined) return known
  const offsets = runtimeOffsets(name)
  if (offsets === undefined) return undefined
  if (zones.size === zonesLimit) zones.clear()
  const zone = make(name, offsets)
  zones.set(name, zone)
  return zone
}

/**
 * The zone of a name that was checked before it was stored. It throws on any
 * other: that is a defect, such as a runtime with older zone data.
 *
 * @category constructors
 */
export const get = (name: string): Zone => {
  const zone = find(name)
  if (zone === undefined) throw new Error(`This runtime knows no time zone ${JSON.stringify(name)}.`)
  return zone
}

/**
 * The same wall time `days` calendar days later, to the millisecond, made an
 * instant by the rules above. So rentals of whole days end and weekly repeats
 * start. No days later is the same instant, also at the second
 * occurrence of a wall time.
 *
 * @category calculating
 */
export const addLocalDays = (zone: Zone, instant: Instant.Instant, days: number): Instant.Instant => {
  if (days === 0) return instant
  const { date, millisOfDay } = zone.wallAt(instant)
  return zone.instantAtWall({ date: LocalDate.addDays(date, days), millisOfDay })
}

const make = (name: string, offsets: Offsets): Zone => {
  const wallMillisAt = (instant: Instant.Instant): number => {
    offsets.seek(instant)
    return instant + offsets.offset
  }

  const instantOf = (wallMillis: number): Instant.Instant => {
    const before = offsets.seekWall(wallMillis)
    const instant = wallMillis - offsets.offset
    // In a gap the clocks that have not changed yet reach as far beyond it as the wall time lies inside it.
    return Instant.make(instant >= offsets.from ? instant : wallMillis - before)
  }

  return {
    name,
    offsetAt: (instant) => {
      offsets.seek(instant)
      return offsets.offset
    },
    wallAt: (instant) => {
      const wallMillis = wallMillisAt(instant)
      const date = Math.floor(wallMillis / millisPerDay)
      return { date: LocalDate.make(date), millisOfDay: wallMillis - date * millisPerDay }
    },
    dateAt: (instant) => LocalDate.make(Math.floor(wallMillisAt(instant) / millisPerDay)),
    instantAt: (date, secondOfDay) => instantOf(date * millisPerDay + secondOfDay * 1000),
    instantAtWall: (wall) => instantOf(wall.date * millisPerDay + wall.millisOfDay),
    startOf: (date) => {
      const midnight = date * millisPerDay
      offsets.seekWall(midnight)
      // Where the clocks skip midnight, the date begins at the jump, whatever they show after it.
      return Instant.make(Math.max(midnight - offsets.offset, offsets.from))
    }
  }
}

// The names that a process meets are few, but "europe/berlin" has thousands of spellings, and callers choose theirs.
const zonesLimit = 1024

const zones = new Map<string, Zone>()
