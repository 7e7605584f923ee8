import type { DiscountCode } from "@trailbook/core/offering"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as FastCheck from "effect/FastCheck"
import { moment, origin } from "./moment.ts"

const today = Math.floor(origin / 86_400_000)

const dates = FastCheck.tuple(
  FastCheck.option(FastCheck.integer({ min: -3, max: 3 })),
  FastCheck.option(FastCheck.integer({ min: 3, max: 9 }))
).map((days) => days.map((day) => day === null ? null : LocalDate.make(today + day)))

/** A discount code without its org. */
export const discountCode: FastCheck.Arbitrary<DiscountCode> = FastCheck.record({
  id: FastCheck.uuid(),
  code: FastCheck.stringMatching(/^[A-Z0-9_-]{1,40}$/),
  amount: FastCheck.oneof(
    FastCheck.record({ percentBps: FastCheck.nat(10_000), cents: FastCheck.constant(null) }),
    FastCheck.record({ percentBps: FastCheck.constant(null), cents: FastCheck.nat(10_000_000_000) })
  ),
  offeringIds: FastCheck.option(FastCheck.array(FastCheck.uuid(), { maxLength: 3 })),
  book: dates,
  start: dates,
  maxUses: FastCheck.option(FastCheck.integer({ min: 1, max: 1_000_000 })),
  active: FastCheck.boolean(),
  returnsOnCancel: FastCheck.boolean(),
  createdAt: moment
}).map((
  { amount, book: [bookFrom = null, bookUntil = null], start: [startFrom = null, startUntil = null], ...rest }
) => ({
  ...rest,
  ...amount,
  orgId: "",
  bookFrom,
  bookUntil,
  startFrom,
  startUntil
}))
