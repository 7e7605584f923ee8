import type { Closure } from "@trailbook/core/offering/closure/Closure"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as FastCheck from "effect/FastCheck"

/**
 * Closures within a few days of a date. They apply to this offering, to all offerings, or to other offerings, and close
 * entire dates or only some hours.
 */
export const closures = (
  around: LocalDate.LocalDate,
  { id, orgId }: { readonly orgId: string; readonly id: string }
): FastCheck.Arbitrary<ReadonlyArray<Closure>> =>
  FastCheck.array(
    FastCheck.record({
      orgId: FastCheck.constantFrom(orgId, orgId, orgId, "other"),
      offeringId: FastCheck.constantFrom(null, null, id, "other"),
      first: FastCheck.integer({ min: -2, max: 3 }),
      days: FastCheck.nat(2),
      hours: FastCheck.option(
        FastCheck.uniqueArray(FastCheck.integer({ min: 0, max: 48 }), { minLength: 2, maxLength: 2 })
      )
    }),
    { maxLength: 3 }
  ).map((closures) =>
    closures.map(({ days, first, hours, ...closure }, at) => {
      const [from = 0, to = 0] = (hours ?? []).toSorted((a, b) => a - b)
      const fromDate = LocalDate.addDays(around, first)
      return {
        ...closure,
        id: `closure-${at}`,
        fromDate,
        toDate: LocalDate.addDays(fromDate, days),
        startTime: hours === null ? null : LocalTime.make(from * 1800),
        endTime: hours === null ? null : LocalTime.make(to * 1800),
        reason: "High water",
        createdAt: Instant.min
      }
    })
  )
