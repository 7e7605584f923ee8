import { maxSlots, streamSlots } from "@trailbook/core/availability/Availability"
import type { Slot } from "@trailbook/core/availability/remainingSlots"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"

const zone = Zone.get("America/Denver")
const start = LocalDate.make(20_000)

/** The number of slots per date. A few dates have many slots. */
const seasons = FastCheck.array(
  FastCheck.oneof(
    { weight: 6, arbitrary: FastCheck.integer({ min: 0, max: 40 }) },
    { weight: 2, arbitrary: FastCheck.integer({ min: 0, max: 3000 }) },
    { weight: 1, arbitrary: FastCheck.constantFrom(maxSlots - 1, maxSlots, maxSlots + 1, 2 * maxSlots) }
  ),
  { minLength: 1, maxLength: 80 }
)

const slotsOn = (date: LocalDate.LocalDate, count: number): ReadonlyArray<Slot> =>
  Array.from({ length: count }, (_, at) => {
    const startsAt = Instant.make(zone.startOf(date) + at)
    return { startsAt, endsAt: startsAt, capacity: 1, remaining: 1 }
  })

const answer = (counts: ReadonlyArray<number>, from: number) => {
  const slots: Array<Slot> = []
  let least = Infinity
  const next = Effect.runPromise(streamSlots(
    zone,
    { first: LocalDate.addDays(start, from), last: LocalDate.addDays(start, counts.length - 1) },
    ({ first, last }, most) =>
      Effect.sync(() => {
        // Slices must be consecutive and cover every date.
        assert.isTrue(least === Infinity || first === least)
        least = last + 1
        const slots: Array<Slot> = []
        for (let date = first; date <= last && slots.length < most; date = LocalDate.addDays(date, 1)) {
          for (const slot of slotsOn(date, Math.min(counts[date - start] ?? 0, most))) slots.push(slot)
        }
        return slots.slice(0, most)
      }),
    (chunk) =>
      Effect.sync(() => {
        for (const slot of chunk) slots.push(slot)
      })
  ))
  return next.then((next) => ({ slots, next: next === undefined ? undefined : next - start }))
}

describe("availability response chunks", () => {
  it("list every slot once, and never split a date", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(seasons, async (counts) => {
        let from: number | undefined = 0
        const slots: Array<Slot> = []
        while (from !== undefined) {
          const page: Awaited<ReturnType<typeof answer>> = await answer(counts, from)
          assert.isAtMost(page.slots.length, maxSlots)
          for (const slot of page.slots) slots.push(slot)
          assert.isTrue(page.next === undefined || (page.next > from && page.next < counts.length))
          const dates = counts.slice(from, page.next).map((count) => Math.min(count, maxSlots))
          assert.strictEqual(page.slots.length, dates.reduce((sum, count) => sum + count, 0))
          from = page.next
        }
        // If a single date exceeds the limit, only its first slots are listed.
        const all = counts.flatMap((count, at) => slotsOn(LocalDate.addDays(start, at), Math.min(count, maxSlots)))
        assert.deepStrictEqual(slots.map(({ startsAt }) => startsAt), all.map(({ startsAt }) => startsAt))
      }),
      { numRuns: 40 }
    ))
})
