import { Billing } from "@trailbook/core/billing/Billing"
import { BookingStore } from "@trailbook/core/booking/BookingStore"
import * as Org from "@trailbook/core/org/Org"
import { Orgs } from "@trailbook/core/org/Orgs"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { expect, it } from "vitest"

/** The org's time zone is far from UTC, so that the local month differs from the UTC month for several hours. */
const org = Org.make({ id: "org", name: "O", slug: "o", timezone: "Pacific/Kiritimati", createdAt: Instant.min })

const readBilling = async (now: number, bookingCount: number) => {
  const periods: Array<readonly [from: string, to: string]> = []
  const layer = Layer.provide(
    Billing.layer,
    Layer.mergeAll(
      Layer.mock(BookingStore, {
        countConfirmed: (_, spans) =>
          Effect.sync(() => {
            periods.push(...spans.map(({ from, to }) => [Instant.format(from), Instant.format(to)] as const))
            return spans.map(() => bookingCount)
          })
      }),
      Layer.mock(Orgs, { get: () => Effect.succeed(org) })
    )
  )
  const billing = await Effect.runPromise(
    Effect.gen(function*() {
      yield* TestClock.setTime(now)
      return yield* (yield* Billing).get("org")
    }).pipe(Effect.provide(layer), Effect.provide(TestContext.TestContext))
  )
  return { periods, billing }
}

it("counts the bookings made in the same UTC month as the given time", async () => {
  await FastCheck.assert(
    FastCheck.asyncProperty(FastCheck.integer({ min: 0, max: Date.UTC(2999, 0) }), async (now) => {
      const date = new Date(now)
      const month = (n: number) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + n, 1)).toISOString()
      expect((await readBilling(now, 0)).periods).toEqual([[month(0), month(1)]])
    })
  )
  const newYear = Date.UTC(2028, 0, 1)
  expect((await readBilling(newYear - 1, 0)).periods).toEqual([[
    "2027-12-01T00:00:00.000Z",
    "2028-01-01T00:00:00.000Z"
  ]])
  expect((await readBilling(newYear, 0)).periods).toEqual([["2028-01-01T00:00:00.000Z", "2028-02-01T00:00:00.000Z"]])
})

it("reports usage as a percentage of the free plan's 25 bookings", async () => {
  await FastCheck.assert(
    FastCheck.asyncProperty(FastCheck.nat(1_000_000), async (bookingCount) => {
      const { billing } = await readBilling(0, bookingCount)
      expect(billing).toEqual({ plan: "free", usage: { used: bookingCount, cap: 25, pct: 4 * bookingCount } })
    })
  )
})
