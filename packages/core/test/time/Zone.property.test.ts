import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { loadRuntimeOffsets } from "@trailbook/core/time/OffsetCursor"
import * as Zone from "@trailbook/core/time/Zone"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import * as temporal from "./temporal.ts"
import { zones } from "./zones.ts"

const [start, end] = [Date.UTC(1970, 0), Date.UTC(2100, 0)]

const changesOf = new Map(zones.map((zone) => [zone, temporal.changes(zone, start, end)]))

/** A zone with an instant from 1970 to 2099. The instant is arbitrary or within 2 days of a DST change. */
const moments = FastCheck.constantFrom(...zones).chain((zone) => {
  const changes = changesOf.get(zone) ?? []
  const any = FastCheck.integer({ min: start, max: end - 1 })
  const near = FastCheck.tuple(
    FastCheck.nat(changes.length),
    FastCheck.integer({ min: -172_800_000, max: 172_800_000 })
  )
  return FastCheck.tuple(
    FastCheck.constant(zone),
    FastCheck.oneof(any, near.map(([index, by]) => Math.max(start, (changes[index] ?? end) + by)))
  )
})

const parameters = { numRuns: runs(10_000, 2000) }

describe("Zone", () => {
  it.each(zones)("has the same clock changes as Temporal until 2100: %s", (name) => {
    const offsets = loadRuntimeOffsets(name)!
    const changeInstants: Array<number> = []
    offsets.seek(start)
    for (let before = offsets.offset; offsets.to < end; before = offsets.offset) {
      offsets.seek(offsets.to)
      if (offsets.offset !== before) changeInstants.push(offsets.from)
    }
    expect(changeInstants).toEqual(changesOf.get(name))
  })

  it("converts instants to wall times like Temporal, to the millisecond", () => {
    FastCheck.assert(
      FastCheck.property(moments, ([name, moment]) => {
        const zone = Zone.get(name)
        const instant = Instant.make(moment)
        const wall = zone.wallAt(instant)
        const expected = temporal.wallAt(name, instant)
        expect(wall.date * 86_400_000 + wall.millisOfDay).toBe(expected)
        expect(wall.millisOfDay).toBeGreaterThanOrEqual(0)
        expect(wall.millisOfDay).toBeLessThan(86_400_000)
        expect(zone.dateAt(instant)).toBe(wall.date)
        expect(zone.offsetAt(instant)).toBe(expected - instant)
      }),
      parameters
    )
  })

  it("converts wall times in gaps and repeated hours like Temporal's `compatible`", () => {
    FastCheck.assert(
      FastCheck.property(moments, ([name, wall]) => {
        const date = LocalDate.make(Math.floor(wall / 86_400_000))
        const millisOfDay = wall - date * 86_400_000
        const zone = Zone.get(name)
        expect(zone.instantAtWall({ date, millisOfDay })).toBe(temporal.instantOf(name, wall))
        const second = Math.floor(millisOfDay / 1000)
        expect(zone.instantAt(date, second)).toBe(temporal.instantOf(name, date * 86_400_000 + second * 1000))
      }),
      parameters
    )
  })

  it("treats 24:00:00 of the next date", () => {
    FastCheck.assert(
      FastCheck.property(moments, ([name, moment]) => {
        const date = LocalDate.make(Math.floor(moment / 86_400_000))
        const zone = Zone.get(name)
        expect(zone.instantAt(date, 86_400)).toBe(temporal.instantOf(name, (date + 1) * 86_400_000))
        expect(zone.instantAt(date, 86_400)).toBe(zone.instantAt(LocalDate.addDays(date, 1), 0))
      }),
      { numRuns: runs(3000, 600) }
    )
  })

  it("starts each date at the same instant as Temporal", () => {
    FastCheck.assert(
      FastCheck.property(moments, ([name, moment]) => {
        const date = LocalDate.make(Math.floor(moment / 86_400_000))
        expect(Zone.get(name).startOf(date)).toBe(temporal.startOf(name, date))
      }),
      parameters
    )
  })

  it("starts each date at its first instant", () => {
    FastCheck.assert(
      FastCheck.property(moments, FastCheck.integer({ min: 1, max: 400_000_000 }), ([name, moment], before) => {
        const zone = Zone.get(name)
        const date = zone.dateAt(Instant.make(moment))
        const start = zone.startOf(date)
        expect(start).toBeLessThanOrEqual(moment)
        expect(zone.dateAt(start)).toBeGreaterThanOrEqual(date)
        expect(zone.dateAt(Instant.make(start - 1))).toBeLessThan(date)
        expect(zone.dateAt(Instant.make(start - before))).toBeLessThan(date)
      }),
      parameters
    )
  })

  it("adds days like Temporal", () => {
    FastCheck.assert(
      FastCheck.property(moments, FastCheck.integer({ min: -400, max: 400 }), ([name, moment], days) => {
        const later = Zone.addLocalDays(Zone.get(name), Instant.make(moment), days)
        expect(later).toBe(temporal.addDays(name, moment, days))
      }),
      parameters
    )
  })

  it("returns the same instant if zero days are added", () => {
    FastCheck.assert(
      FastCheck.property(moments, ([name, moment]) => {
        expect(Zone.addLocalDays(Zone.get(name), Instant.make(moment), 0)).toBe(moment)
      })
    )
  })

  it("supports instants until the end of 9999", () => {
    const distances = FastCheck.integer({ min: 0, max: 7800 * 365 * 86_400_000 })
    FastCheck.assert(
      FastCheck.property(
        FastCheck.constantFrom("America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"),
        distances,
        (name, by) => {
          const zone = Zone.get(name)
          for (const instant of [Instant.make(Instant.max - by), Instant.max]) {
            const wall = zone.wallAt(instant)
            expect(wall.date * 86_400_000 + wall.millisOfDay).toBe(temporal.wallAt(name, instant))
            expect(zone.instantAtWall(wall)).toBe(temporal.instantOf(name, temporal.wallAt(name, instant)))
          }
        }
      ),
      { numRuns: 100 }
    )
  })
})

describe("a time zone name", () => {
  it("is case-insensitive, but its spelling is preserved", () => {
    for (const name of ["Europe/Berlin", "europe/berlin", "EUROPE/BERLIN", "Asia/Kolkata", "Etc/GMT+5", "UTC"]) {
      expect(Zone.find(name)?.name).toBe(name)
      expect(Zone.get(name)).toBe(Zone.find(name))
    }
    expect(loadRuntimeOffsets("europe/berlin")).toBe(loadRuntimeOffsets("Europe/Berlin"))
  })

  it.each([
    "",
    "Nowhere",
    "Europe/Atlantis",
    "+01:00",
    "-05:00",
    "\u2212 05:00",
    "Z",
    " UTC",
    "UTC\n",
    "Europe/Berlin\0",
    "Asia/\u212Aolkata",
    "local"
  ])(
    "cannot be %j",
    (name) => {
      expect(Zone.find(name)).toBeUndefined()
      expect(() => Zone.get(name)).toThrow(JSON.stringify(name))
    }
  )

  it("has at most 64 characters", () => {
    expect(Zone.find("A".repeat(65))).toBeUndefined()
  })

  it("can be any name that the runtime lists", () => {
    for (const name of Intl.supportedValuesOf("timeZone")) expect(Zone.find(name)?.name).toBe(name)
  })

  it("is accepted in 2,000 spellings, more than the cache can hold", () => {
    const letters = Array.from("america/argentina/ushuaia")
    for (let spelling = 0; spelling < 2000; spelling++) {
      const name = letters.map((letter, index) => ((spelling >> index) & 1 ? letter.toUpperCase() : letter)).join("")
      expect(Zone.find(name)?.name).toBe(name)
    }
  })
})
