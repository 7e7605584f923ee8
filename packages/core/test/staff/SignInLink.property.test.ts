import { redeemSignInLink, type SignInLink } from "@trailbook/core/staff/sign-in/StaffSession"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"

const createdAt = Instant.make(1_800_000_000_000)
const link: SignInLink = {
  digest: "",
  orgId: "org",
  staffId: "ann",
  next: null,
  createdAt,
  expiresAt: Instant.addMinutes(createdAt, 15),
  spentAt: null
}

it("accepts a sign-in link once, within 15 minutes", () => {
  const counts = { spent: 0, refused: 0 }
  FastCheck.assert(
    FastCheck.property(FastCheck.array(FastCheck.nat(20 * 60_000), { minLength: 1, maxLength: 5 }), (after) => {
      let state = link
      const inTime = after.findIndex((ms) => ms < 15 * 60_000)
      after.forEach((ms, at) => {
        const now = Instant.make(createdAt + ms)
        const result = redeemSignInLink(state, now)
        expect(Either.isRight(result)).toBe(at === inTime)
        if (Either.isRight(result)) {
          counts.spent++
          expect(result.right).toEqual({ ...link, spentAt: now })
          state = result.right
        } else {
          counts.refused++
          expect(result.left.code).toBe("unauthorized")
        }
      })
    }),
    { numRuns: 300 }
  )
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(50)
})
