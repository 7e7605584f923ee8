import * as LocalDate from "@trailbook/core/time/LocalDate"
import { loadRuntimeOffsets } from "@trailbook/core/time/OffsetCursor"
import * as Zone from "@trailbook/core/time/Zone"
import * as FastCheck from "effect/FastCheck"
import { printAsJson } from "./printed.ts"

/**
 * Zones with edge cases: half and quarter hours, DST changes of half an hour or two hours, missing or repeated
 * midnights, Ramadan pauses, negative DST, and a skipped date.
 */
const names = [
  "UTC",
  "Africa/Cairo",
  "Africa/Casablanca",
  "America/Asuncion",
  "America/Denver",
  "America/Havana",
  "America/Nuuk",
  "America/Phoenix",
  "America/Santiago",
  "America/Sao_Paulo",
  "America/St_Johns",
  "Antarctica/Troll",
  "Asia/Beirut",
  "Asia/Gaza",
  "Asia/Kathmandu",
  "Atlantic/Azores",
  "Australia/Eucla",
  "Australia/Lord_Howe",
  "Europe/Dublin",
  "Pacific/Apia",
  "Pacific/Chatham",
  "Pacific/Marquesas"
] as const

const dayMs = 86_400_000
const [first, last] = [Date.UTC(2008, 0) / dayMs, Date.UTC(2036, 0) / dayMs]

/** The UTC dates of a zone's DST changes. */
const changesIn = (name: string): ReadonlyArray<number> => {
  const offsets = loadRuntimeOffsets(name)
  if (offsets === undefined) throw new Error(`There is no zone ${name}.`)
  const dates: Array<number> = []
  offsets.seek(first * dayMs)
  for (let before = offsets.offset; offsets.to < last * dayMs; before = offsets.offset) {
    offsets.seek(offsets.to)
    if (offsets.offset !== before) dates.push(Math.floor(offsets.from / dayMs))
  }
  return dates
}

const changes = new Map<string, ReadonlyArray<number>>(names.map((name) => [name, changesIn(name)]))

export interface Day {
  readonly zone: Zone.Zone
  readonly date: LocalDate.LocalDate
}

/** A date from 2008 to 2035 in one of the zones, usually within three days of a DST change. */
export const day: FastCheck.Arbitrary<Day> = FastCheck.constantFrom(...names).chain((name) => {
  const zone = Zone.get(name)
  const dates = changes.get(name) ?? []
  const any = FastCheck.integer({ min: first, max: last })
  const near = FastCheck.tuple(FastCheck.nat(Math.max(0, dates.length - 1)), FastCheck.integer({ min: -3, max: 3 }))
    .map(([at, by]) => (dates[at] ?? first) + by)
  return FastCheck.oneof({ weight: 5, arbitrary: near }, { weight: 1, arbitrary: any }).map((date) =>
    printAsJson({ zone, date: LocalDate.make(date) })
  )
})
