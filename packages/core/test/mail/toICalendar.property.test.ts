import type { Booking } from "@trailbook/core/booking/Booking"
import { toICalendar } from "@trailbook/core/mail/toICalendar"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"
import { confirmedBooking, org, record } from "./bookings.ts"
import { valueOf } from "./ics.ts"

const second = 1000
const pageOf = () => "https://book.example/b/x"

/** The seconds between changes, and the delays until each message is due and until it is sent. */
const lives = FastCheck.array(
  FastCheck.record({
    sinceLast: FastCheck.integer({ min: 1, max: 100 }),
    postponed: FastCheck.integer({ min: 0, max: 150 }),
    late: FastCheck.integer({ min: 0, max: 150 })
  }),
  { minLength: 1, maxLength: 8 }
)

it("assigns the highest SEQUENCE to the last change for any email order", () => {
  FastCheck.assert(
    FastCheck.property(lives, FastCheck.boolean(), (life, endsCancelled) => {
      let now = confirmedBooking.createdAt
      const changes = life.map(({ sinceLast, ...delays }, index) => {
        now = Instant.make(now + sinceLast * second)
        const startsAt = Instant.make(confirmedBooking.startsAt + index * second)
        const last = endsCancelled && index === life.length - 1
        const booking: Booking = last
          ? { ...confirmedBooking, startsAt, status: "cancelled", cancelledAt: now, keepCents: 0 }
          : { ...confirmedBooking, startsAt }
        return { ...delays, at: now, booking }
      })
      const messages = changes.map(({ at, late, postponed }) => {
        const due = Instant.make(at + postponed * second)
        const asItIsThen = changes.findLast((change) => change.at <= due + late * second)?.booking ?? confirmedBooking
        return toICalendar([record(asItIsThen)], undefined, org, pageOf, due)
      })
      const newest = messages.reduce((a, b) =>
        Number(valueOf(b.ics, "SEQUENCE")) > Number(valueOf(a.ics, "SEQUENCE")) ? b : a
      )
      const last = changes.at(-1)
      expect(newest).toEqual(
        toICalendar([record(last?.booking ?? confirmedBooking)], undefined, org, pageOf, seenAt(newest.ics))
      )
    }),
    { numRuns: 1000 }
  )
})

const seenAt = (ics: string) => Instant.make(confirmedBooking.createdAt + Number(valueOf(ics, "SEQUENCE")) * second)

it("keeps SEQUENCE within 32 bits for 50 years and never below 0", () => {
  const sequence = (at: number) =>
    Number(valueOf(
      toICalendar([record(confirmedBooking)], undefined, org, pageOf, Instant.make(at)).ics,
      "SEQUENCE"
    ))
  expect(sequence(confirmedBooking.createdAt + 50 * 366 * 86_400 * second)).toBeLessThan(2 ** 31)
  // Another process's clock may be behind.
  expect(sequence(confirmedBooking.createdAt - 5 * second)).toBe(0)
})
