import { applyDiscountCode } from "@trailbook/core/offering"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { origin } from "../src/generator/moment.ts"
import { discountCode } from "../src/generator/offering.ts"

const today = Math.floor(origin / 86_400_000)
const date = FastCheck.integer({ min: -5, max: 11 }).map((days) => LocalDate.make(today + days))

describe("applyCode", () => {
  it("applies only active codes within their limits", () => {
    FastCheck.assert(FastCheck.property(
      discountCode,
      date,
      FastCheck.option(date, { nil: undefined }),
      FastCheck.option(FastCheck.integer({ min: -2, max: 2 })),
      FastCheck.boolean(),
      (code, bookedOn, startsOn, usesLeft, isOwn) => {
        const offeringId = isOwn ? code.offeringIds?.[0] ?? "any" : "other"
        const uses = usesLeft === null || code.maxUses === null ? 0 : Math.max(0, code.maxUses - usesLeft)
        const outside = (day: number | undefined, from: number | null, until: number | null) =>
          day !== undefined && (day < (from ?? day) || day > (until ?? day))
        const faults = [
          !code.active,
          code.offeringIds !== null && code.offeringIds.every((id) => id !== offeringId),
          outside(bookedOn, code.bookFrom, code.bookUntil),
          outside(startsOn, code.startFrom, code.startUntil),
          uses >= (code.maxUses ?? Infinity)
        ]
        const result = applyDiscountCode({ code, uses }, { offeringId, bookedOn, startsOn })
        if (faults.includes(true)) {
          assert.deepStrictEqual(result, applyDiscountCode(undefined, { offeringId, bookedOn, startsOn }))
        } else {
          const amount = code.cents === null ? { percent_bps: code.percentBps } : { cents: code.cents }
          assert.deepStrictEqual<unknown>(Either.getOrNull(result), { id: code.id, code: code.code, ...amount })
        }
      }
    ))
  })
})
