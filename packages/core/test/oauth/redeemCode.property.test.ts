import { type AuthorizationCode, redeemAuthorizationCode } from "@trailbook/core/oauth/Grant"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"

const createdAt = Instant.make(1_800_000_000_000)
const first: AuthorizationCode = {
  digest: "",
  orgId: "org",
  grantId: "grant",
  clientId: "app",
  redirectUri: "https://app.example.com/cb",
  challenge: "proof",
  createdAt,
  expiresAt: Instant.make(createdAt + 60_000),
  spentAt: null
}

const attempt = FastCheck.record({
  afterMs: FastCheck.integer({ min: 0, max: 90_000 }),
  clientId: FastCheck.constantFrom("app", "app", "app", "other"),
  redirectUri: FastCheck.constantFrom(first.redirectUri, undefined, first.redirectUri, "https://evil.example.com"),
  challenge: FastCheck.constantFrom("proof", "proof", "proof", "guess")
})

it("accepts a code once, and revokes the grant if the code is reused", () => {
  const counts = { granted: 0, refused: 0, withdrawn: 0 }
  FastCheck.assert(
    FastCheck.property(FastCheck.array(attempt, { minLength: 1, maxLength: 6 }), (attempts) => {
      let code = first
      let isSpent = false
      for (const { afterMs, ...request } of attempts) {
        const now = Instant.make(createdAt + afterMs)
        const redemption = redeemAuthorizationCode(code, { now, ...request })
        const isRight = afterMs < 60_000 && request.clientId === "app" && request.challenge === "proof" &&
          request.redirectUri !== "https://evil.example.com"
        if (Either.isRight(redemption)) {
          counts.granted++
          expect([isSpent, isRight]).toEqual([false, true])
          expect(redemption.right).toEqual({ ...first, spentAt: now })
          code = redemption.right
          isSpent = true
        } else {
          expect(redemption.left.refusal.code).toBe("invalid_grant")
          expect(redemption.left.withdraws).toBe(isSpent)
          expect(isSpent || !isRight).toBe(true)
          if (isSpent) counts.withdrawn++
          else counts.refused++
        }
      }
    }),
    { numRuns: 500 }
  )
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(100)
})
