/**
 * Measures availability queries for an appointment with 5,000 bookings on each storage, without HTTP. Reports the time
 * to compute the slots for 14, 90, and 365 days. Also reports the time to serialize them as ISO timestamps and JSON,
 * which grows with the number of slots. A response contains at most 10,000 slots. The slots are computed in slices, so
 * that the server can send the first slice while it computes the rest.
 */
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { slotView } from "@trailbook/core/availability"
import { Availability } from "@trailbook/core/availability/Availability"
import { Registry } from "@trailbook/core/operation"
import { Orgs } from "@trailbook/core/org"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { domain } from "./domain.ts"
import { freshPostgres } from "./FreshPostgres.ts"
import { formatCount, type Line, median } from "./report.ts"

const bookingCount = 5000
const samples = 60
const ranges = [14, 90, 365]

interface Times {
  readonly finding: Array<number>
  readonly writing: Array<number>
  /** The time until the first slots are serialized. */
  readonly first: Array<number>
  slots: number
}

interface Page {
  readonly data: ReadonlyArray<{ readonly starts_at: string; readonly remaining: number }>
}

const measured = Effect.gen(function*() {
  const registry = yield* Registry
  const service = yield* Availability
  const org = yield* (yield* Orgs).create({ name: "Bench River Co.", timezone: "America/Denver" })
  const actor = makeHostActor({ orgId: org.id, source: "dashboard" })
  const call = (name: string, input: unknown) => Effect.provideService(registry.run(name, input), Actor, actor)

  const offering = (yield* call("offerings.create", {
    name: "Fly fishing guide",
    kind: "appointment",
    capacity: 4,
    slot_interval_minutes: 15,
    buffer_minutes: 15,
    max_advance_days: 730
  })) as { id: string }
  const from = LocalDate.make(Math.floor(Date.now() / 86_400_000))
  const query = (days: number) => ({
    id: offering.id,
    from: LocalDate.format(from),
    to: LocalDate.format(LocalDate.addDays(from, days - 1))
  })
  const year = (yield* call("availability.get", query(365))) as Page
  // Book roughly every other start time throughout the year.
  const step = year.data.length / bookingCount
  yield* Effect.forEach(Array.from({ length: bookingCount }), (_, at) =>
    Effect.either(call("bookings.create", {
      offering_id: offering.id,
      starts_at: year.data[Math.floor(at * step)]?.starts_at,
      customer: { email: `guest${at % 200}@example.com` }
    })), { concurrency: 64 })

  const find = (days: number) =>
    service.find({
      offering: { orgId: org.id, id: offering.id },
      from,
      to: LocalDate.addDays(from, days - 1),
      periods: undefined,
      quantity: undefined
    })
  const timeSearch = (days: number) =>
    Effect.gen(function*() {
      const startedAt = performance.now()
      const { each } = yield* find(days)
      let first: number | undefined
      let writingMs = 0
      let slots = 0
      // Each slice is serialized as soon as it is computed, just as in the server.
      yield* each((some) =>
        Effect.sync(() => {
          const foundAt = performance.now()
          JSON.stringify(some.map(slotView))
          const writtenAt = performance.now()
          first ??= writtenAt - startedAt
          writingMs += writtenAt - foundAt
          slots += some.length
        })
      )
      return { finding: performance.now() - startedAt - writingMs, writing: writingMs, slots, first: first ?? 0 }
    })

  const times = new Map<number, Times>()
  for (const days of ranges) times.set(days, { finding: [], writing: [], first: [], slots: 0 })
  for (let sample = 0; sample < samples + 10; sample++) {
    for (const days of ranges) {
      const { finding, first, slots, writing } = yield* timeSearch(days)
      const of = times.get(days)
      if (of === undefined || sample < 10) continue
      of.finding.push(finding)
      of.writing.push(writing)
      of.first.push(first)
      of.slots = slots
    }
  }
  // Repeat two-week queries the way a booking page does, without the garbage that one-year queries would leave in
  // between.
  const weeks: Array<number> = []
  for (let sample = 0; sample < samples + 10; sample++) {
    const { finding, writing } = yield* timeSearch(14)
    if (sample >= 10) weeks.push(finding + writing)
  }
  return { times, weeks: median(weeks) }
})

/** Runs the measurement on one storage. `withinMs` is the promised maximum time for 14 days. */
const formatLines = async (storage: string, url: string, withinMs: number): Promise<ReadonlyArray<Line>> => {
  const { times, weeks } = await Effect.runPromise(Effect.provide(measured, domain(url, "grouped")))
  const formatDays = (days: number) => {
    const { finding = [], first = [], slots = 0, writing = [] } = times.get(days) ?? {}
    return { finding: median(finding), writing: median(writing), first: median(first), slots }
  }
  const [short, year] = [formatDays(14), formatDays(365)]
  const totalMs = short.finding + short.writing
  const ratio = year.finding / totalMs
  return [
    ...ranges.map((days) => ({
      what: `${storage}: time to compute and to serialize ${days} days of availability (${
        formatCount(formatDays(days).slots)
      } slots)`,
      figure: `${formatDays(days).finding.toFixed(2)} + ${formatDays(days).writing.toFixed(2)} ms`
    })),
    {
      what: `${storage}: time to the first slots and to all slots for 365 days of availability`,
      figure: `${year.first.toFixed(2)} ms, ${(year.finding + year.writing).toFixed(2)} ms`,
      promise: { text: "first slots within 10 ms", kept: year.first <= 10 }
    },
    {
      what: `${storage}: time per repeated query for 14 days of availability`,
      figure: `${weeks.toFixed(2)} ms p50`,
      promise: { text: `within ${withinMs} ms on ${storage}`, kept: weeks <= withinMs }
    },
    {
      what: `${storage}: time to compute 365 days of availability compared with computing and serializing 14 days`,
      figure: `${ratio.toFixed(2)} times`,
      promise: { text: "under 10 times", kept: ratio < 10 }
    }
  ]
}

export const availability = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const sqlite = await formatLines("SQLite", `sqlite:${join(folder, "availability.sqlite")}`, 3)
  const postgres = await freshPostgres()
  try {
    return [...sqlite, ...await formatLines("Postgres", postgres.url, 5)]
  } finally {
    await postgres.stop()
  }
}
