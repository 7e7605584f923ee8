import { type Code, redeemCode } from "@trailbook/core/oauth/Grant"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"

const made = Instant.make(1_800_000_000_000)
const first: Code = {
  digest: "",
  orgId: "org",
  grantId: "grant",
  clientId: "app",
  redirectUri: "https://app.example.com/cb",
  challenge: "proof",
  createdAt: made,
  expiresAt: Instant.make(made + 60_000),
  spentAt: null
}

const attempt = FastCheck.record({
  afterMs: FastCheck.integer({ min: 0, max: 90_000 }),
  clientId: FastCheck.constantFrom("app", "app", "app", "other"),
  redirectUri: FastCheck.constantFrom(first.redirectUri, undefined, first.redirectUri, "https://evil.example.com"),
  challenge: FastCheck.constantFrom("proof", "proof", "proof", "guess")
})

it("accepts a code once, and revokes the grant if it is reused", () => {
  const met = { granted: 0, refused: 0, withdrawn: 0 }
  FastCheck.assert(
    FastCheck.property(FastCheck.array(attempt, { minLength: 1, maxLength: 6 }), (attempts) => {
      let code = first
      let spent = false
      for (const { afterMs, ...given } of attempts) {
        const now = Instant.make(made + afterMs)
        const redeemed = redeemCode(code, { now, ...given })
        const isRight = afterMs < 60_000 && given.clientId === "app" && given.challenge === "proof" &&
          given.redirectUri !== "https://evil.example.com"
        if (Either.isRight(redeemed)) {
          met.granted++
          expect([spent, isRight]).toEqual([false, true])
          expect(redeemed.right).toEqual({ ...first, spentAt: now })
          code = redeemed.right
          spent = true
        } else {
          expect(redeemed.left.refusal.code).toBe("invalid_grant")
          expect(redeemed.left.withdraws).toBe(spent)
          expect(spent || !isRight).toBe(true)
          if (spent) met.withdrawn++
          else met.refused++
        }
      }
    }),
    { numRuns: 500 }
  )
  expect(Math.min(...Object.values(met))).toBeGreaterThan(100)
})
