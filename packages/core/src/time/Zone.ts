/**
 * Converts between instants and wall time in a time zone. The rules:
 *
 * - A wall time that the clocks skip moves forward by the length of the gap.
 * - A wall time that occurs twice refers to its first occurrence.
 * - A local date starts at the first instant with that local date or a later one. A date that the zone skipped is
 *   therefore empty.
 *
 * These are the RFC 5545 rules for DATE-TIME, and the rules for `compatible` and `startOfDay` in Temporal.
 */
import { millisPerDay } from "./calendar.ts"
import * as Instant from "./Instant.ts"
import * as LocalDate from "./LocalDate.ts"
import { loadRuntimeOffsets, type OffsetCursor } from "./OffsetCursor.ts"

/** The time zone of a place. A lookup takes about 10 ns once the surrounding years are cached. */
export interface Zone {
  /** The IANA name, spelled as requested. */
  readonly name: string

  /** Returns the number of milliseconds to add to `instant` to get its wall time. It is positive east of Greenwich. */
  readonly offsetAt: (instant: Instant.Instant) => number

  /** Returns the wall time of an instant. */
  readonly wallAt: (instant: Instant.Instant) => WallTime

  /** Returns the local date of an instant. Unlike `wallAt`, does not allocate an object. */
  readonly dateAt: (instant: Instant.Instant) => LocalDate.LocalDate

  /** Returns the instant for a wall time, by the rules above. A `secondOfDay` of 86400 is the midnight after `date`. */
  readonly instantAt: (date: LocalDate.LocalDate, secondOfDay: number) => Instant.Instant

  /**
   * Like `instantAt`, but with milliseconds. It is the inverse of `wallAt`, except for the second occurrence of a wall
   * time.
   */
  readonly instantAtWall: (wall: WallTime) => Instant.Instant

  /**
   * Returns the first instant whose local date is `date` or later. If the clocks go back across midnight, the repeated
   * hour belongs to the new date, even though `dateAt` returns the old date again. No zone has set its clocks back
   * across midnight since 2011.
   */
  readonly startOf: (date: LocalDate.LocalDate) => Instant.Instant
}

/** A wall time with its date. */
export interface WallTime {
  readonly date: LocalDate.LocalDate
  /** The number of milliseconds since midnight in wall time, not in elapsed time. */
  readonly millisOfDay: number
}

/**
 * Finds a zone by a name that the runtime's `Intl` supports. Case is ignored, as in IANA names. Returns undefined for
 * other names, names with more than 64 characters, and offsets such as `+01:00`, which some runtimes accept.
 *
 * @example
 * import * as Zone from "@trailbook/core/time/Zone"
 *
 * Zone.find("America/Denver")?.name // "America/Denver"
 * Zone.find("America/Nowhere") // undefined
 */
export const find = (name: string): Zone | undefined => {
  const cachedZone = zones.get(name)
  if (cachedZone !== undefined) return cachedZone
  const offsets = loadRuntimeOffsets(name)
  if (offsets === undefined) return undefined
  if (zones.size === maxZones) zones.clear()
  const zone = make(name, offsets)
  zones.set(name, zone)
  return zone
}

/**
 * Returns the zone for a validated name. Throws for an unknown name, which is a defect. This can happen if the runtime
 * has older zone data.
 */
export const get = (name: string): Zone => {
  const zone = find(name)
  if (zone === undefined) throw new Error(`This runtime does not support the time zone ${JSON.stringify(name)}.`)
  return zone
}

/**
 * Returns the same wall time `days` calendar days later, to the millisecond, by the rules above. Used for weekly
 * repeats and for rentals that last whole days. With 0 days, it returns the same instant, even at the second occurrence
 * of a wall time.
 */
export const addLocalDays = (zone: Zone, instant: Instant.Instant, days: number): Instant.Instant => {
  if (days === 0) return instant
  const { date, millisOfDay } = zone.wallAt(instant)
  return zone.instantAtWall({ date: LocalDate.addDays(date, days), millisOfDay })
}

const make = (name: string, offsets: OffsetCursor): Zone => {
  const wallMillisAt = (instant: Instant.Instant): number => {
    offsets.seek(instant)
    return instant + offsets.offset
  }

  const toInstant = (wallMillis: number): Instant.Instant => {
    const previousOffset = offsets.seekWall(wallMillis)
    const instant = wallMillis - offsets.offset
    // A wall time in a gap moves forward by the length of the gap, because the previous offset applies.
    return Instant.make(instant >= offsets.from ? instant : wallMillis - previousOffset)
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
    instantAt: (date, secondOfDay) => toInstant(date * millisPerDay + secondOfDay * 1000),
    instantAtWall: (wall) => toInstant(wall.date * millisPerDay + wall.millisOfDay),
    startOf: (date) => {
      const midnight = date * millisPerDay
      offsets.seekWall(midnight)
      // If the clocks skip midnight, the date starts at the change.
      return Instant.make(Math.max(midnight - offsets.offset, offsets.from))
    }
  }
}

// A process uses few names, but callers can send thousands of spellings of "europe/berlin".
const maxZones = 1024

const zones = new Map<string, Zone>()
