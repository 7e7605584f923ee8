import {
  explainNoSlots,
  type NoSlotsReason,
  noSlotsReasons,
  type SlotSearch
} from "@trailbook/core/availability/explainNoSlots"
import { listPossibleSpans } from "@trailbook/core/availability/remainingSlots"
import type { PlaceFacts } from "@trailbook/core/booking/checkPlace"
import { listOpeningWindows } from "@trailbook/core/offering/listOpeningWindows"
import { getBookableWindow } from "@trailbook/core/offering/listSlots"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { closures } from "../generators/closure.ts"
import { question } from "../generators/question.ts"

const queries = FastCheck.tuple(
  FastCheck.constantFrom("appointment" as const, "rental" as const).chain(question),
  FastCheck.oneof({ weight: 9, arbitrary: FastCheck.constant(true) }, FastCheck.constant(false)),
  // The current time is within, before, long before, or after the requested dates.
  FastCheck.oneof(FastCheck.constant(0), FastCheck.integer({ min: -4, max: 800 }).map((days) => days * 86_400_000))
).chain(([{ from, length, now, offering, to, zone }, active, earlier]) =>
  FastCheck.oneof(FastCheck.constant([]), closures(zone.dateAt(from), offering)).map((closures) => ({
    facts: {
      offering: { ...offering, active },
      zone,
      now: Instant.make(Math.max(0, now - earlier)),
      closures
    } satisfies PlaceFacts,
    range: { from, to, length }
  }))
)

/** Returns the slots under modified rules. */
const listedWith = (
  facts: PlaceFacts,
  range: Parameters<typeof listPossibleSpans>[1],
  offering: Partial<PlaceFacts["offering"]>,
  now: Instant.Instant = facts.now
) => listPossibleSpans({ ...facts, now, offering: { ...facts.offering, ...offering } }, range)

const free = { minNoticeMinutes: 0, maxAdvanceDays: 5000 }

/** A second implementation of the condition for each reason. */
const isTrue: Record<NoSlotsReason, (facts: PlaceFacts, range: Parameters<typeof listPossibleSpans>[1]) => boolean> = {
  paused: ({ offering }) => !offering.active,
  full: () => false,
  notice: (facts, range) => listedWith(facts, range, { minNoticeMinutes: 0 }).length > 0,
  horizon: (facts, range) => {
    const { before } = getBookableWindow(facts.offering, facts.zone, facts.now)
    const there = listedWith(facts, range, free)
    return there.length > 0 && there.every(({ startsAt }) => startsAt >= before)
  },
  past: (facts, range) =>
    listedWith(facts, range, free).length === 0 && listedWith(facts, range, free, range.from).length > 0,
  nothing_scheduled: () => false,
  too_long: (facts, range) =>
    listedWith(facts, range, free, range.from).length === 0 && startsOfWindows(facts, range).length > 0,
  closed: (facts, range) => startsOfWindows(facts, range).length === 0
}

/** Returns the start times within the weekly hours, regardless of the duration. */
const startsOfWindows = ({ offering, zone }: PlaceFacts, { from, to }: Pick<SlotSearch, "from" | "to">) => {
  const step = (offering.slotIntervalMinutes ?? offering.durationMinutes + offering.bufferMinutes) * 60_000
  const dates = [LocalDate.addDays(zone.dateAt(from), -1), LocalDate.addDays(zone.dateAt(to), 1)] as const
  return listOpeningWindows(offering.hours, zone, ...dates).flatMap(({ close, open }) => {
    const first = open + Math.max(0, Math.ceil((from - open) / step)) * step
    return first < Math.min(close, to) ? [first] : []
  })
}

describe("the reason for empty availability", () => {
  it("is correct for offerings with weekly opening hours", () => {
    const seenReasons = new Set<NoSlotsReason>()
    let closedCount = 0
    FastCheck.assert(
      FastCheck.property(queries, ({ facts, range }) => {
        const listed = listPossibleSpans(facts, range).length
        const { length, ...dates } = range
        const { because, closure } = explainNoSlots(facts, { ...dates, of: { length }, listed })
        seenReasons.add(because)
        if (closure !== undefined) {
          closedCount++
          expect([because, listed]).toEqual(["closed", 0])
          // Without the closures, a start would be listed, or would at least fall within the hours.
          expect(listedWith({ ...facts, closures: [] }, range, free, range.from).length).toBeGreaterThan(0)
          return
        }
        if (because === "full") expect([facts.offering.active, listed > 0]).toEqual([true, true])
        else expect([because, listed, isTrue[because](facts, range)]).toEqual([because, 0, true])
      }),
      { numRuns: 3000 }
    )
    expect(closedCount).toBeGreaterThan(30)
    expect([...seenReasons].sort()).toEqual(noSlotsReasons.filter((reason) => reason !== "nothing_scheduled").sort())
  })
})
