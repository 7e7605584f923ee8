import { type GrantToken, rotateToken } from "@trailbook/core/oauth/Grant"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"

const createdAt = Instant.make(1_800_000_000_000)
const dayMs = 24 * 3_600_000
const first: GrantToken = {
  digest: "",
  orgId: "org",
  grantId: "grant",
  kind: "refresh",
  scopes: ["read"],
  createdAt,
  expiresAt: Instant.make(createdAt + 90 * dayMs),
  rotatedAt: null,
  uses: 0
}

const attempt = FastCheck.record({
  isOwn: FastCheck.constantFrom(true, true, true, true, false),
  afterMs: FastCheck.oneof(
    { weight: 30, arbitrary: FastCheck.nat(9000) },
    { weight: 1, arbitrary: FastCheck.nat(200_000) },
    { weight: 1, arbitrary: FastCheck.nat(100 * dayMs) }
  )
})

it("accepts a used refresh token for two minutes, then revokes the grant", () => {
  const counts = { granted: 0, again: 0, tooOften: 0, tooLate: 0, withdrawn: 0, foreign: 0 }
  FastCheck.assert(
    FastCheck.property(FastCheck.array(attempt, { minLength: 8, maxLength: 25 }), (attempts) => {
      let token = first
      let now = createdAt
      const uses: Array<number> = []
      for (const { afterMs, isOwn } of attempts) {
        now = Instant.make(now + afterMs)
        const since = now - (uses[0] ?? now)
        const rotation = rotateToken(token, { now, isOwn })
        if (Either.isRight(rotation)) {
          expect(isOwn && now - createdAt < 90 * dayMs && since < 120_000 && uses.length < 10).toBe(true)
          uses.push(now)
          counts[uses.length === 1 ? "granted" : "again"]++
          token = rotation.right
          expect(token).toEqual({ ...first, rotatedAt: uses[0], uses: uses.length })
          continue
        }
        expect(rotation.left.refusal.code).toBe("invalid_grant")
        const isLate = now - createdAt >= 90 * dayMs
        expect(rotation.left.withdraws).toBe(isOwn && !isLate && uses.length > 0 && since >= 120_000)
        counts[!isOwn ? "foreign" : isLate ? "tooLate" : rotation.left.withdraws ? "withdrawn" : "tooOften"]++
      }
    }),
    { numRuns: 1000 }
  )
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(20)
})
