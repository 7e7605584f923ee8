import { rotateToken, type Token } from "@trailbook/core/oauth/Grant"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"

const made = Instant.make(1_800_000_000_000)
const dayMs = 24 * 3_600_000
const first: Token = {
  digest: "",
  orgId: "org",
  grantId: "grant",
  kind: "refresh",
  scopes: ["read"],
  createdAt: made,
  expiresAt: Instant.make(made + 90 * dayMs),
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
  const met = { granted: 0, again: 0, tooOften: 0, tooLate: 0, withdrawn: 0, foreign: 0 }
  FastCheck.assert(
    FastCheck.property(FastCheck.array(attempt, { minLength: 8, maxLength: 25 }), (attempts) => {
      let token = first
      let now = made
      const uses: Array<number> = []
      for (const { afterMs, isOwn } of attempts) {
        now = Instant.make(now + afterMs)
        const since = now - (uses[0] ?? now)
        const rotated = rotateToken(token, { now, isOwn })
        if (Either.isRight(rotated)) {
          expect(isOwn && now - made < 90 * dayMs && since < 120_000 && uses.length < 10).toBe(true)
          uses.push(now)
          met[uses.length === 1 ? "granted" : "again"]++
          token = rotated.right
          expect(token).toEqual({ ...first, rotatedAt: uses[0], uses: uses.length })
          continue
        }
        expect(rotated.left.refusal.code).toBe("invalid_grant")
        const isLate = now - made >= 90 * dayMs
        expect(rotated.left.withdraws).toBe(isOwn && !isLate && uses.length > 0 && since >= 120_000)
        met[!isOwn ? "foreign" : isLate ? "tooLate" : rotated.left.withdraws ? "withdrawn" : "tooOften"]++
      }
    }),
    { numRuns: 1000 }
  )
  expect(Math.min(...Object.values(met))).toBeGreaterThan(20)
})
