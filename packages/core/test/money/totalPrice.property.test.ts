import { totalPrice } from "@trailbook/core/money/totalPrice"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"

const priceCents = FastCheck.oneof(FastCheck.nat(100_000), FastCheck.constantFrom(0, 1, 10_000_000_000))
const quantity = FastCheck.oneof(FastCheck.integer({ min: 1, max: 30 }), FastCheck.constant(10_000))
const periods = FastCheck.integer({ min: 1, max: 60 })

/** A second implementation: repeated addition. */
const addedUp = (priceCents: number, times: number): number => {
  let total = 0
  for (let n = 0; n < times; n++) total += priceCents
  return total
}

it("prices a class per seat, an appointment per booking, and a rental per item and period", () => {
  FastCheck.assert(
    FastCheck.property(priceCents, quantity, periods, (priceCents, quantity, periods) => {
      const of = (kind: "class" | "appointment" | "rental") => totalPrice({ kind, priceCents, quantity, periods })
      expect(of("class")).toBe(addedUp(priceCents, quantity))
      expect(of("appointment")).toBe(priceCents)
      expect(of("rental")).toBe(addedUp(addedUp(priceCents, quantity), periods))
    }),
    { numRuns: 200 }
  )
})

it("returns a safe integer even for the most expensive booking", () => {
  const total = totalPrice({ kind: "rental", priceCents: 10_000_000_000, quantity: 10_000, periods: 60 })
  expect(total).toBe(6_000_000_000_000_000)
  expect(Number.isSafeInteger(total)).toBe(true)
  expect(BigInt(total)).toBe(10_000_000_000n * 10_000n * 60n)
})
