import {
  endStaffSession,
  isStaffSessionOpen,
  recordStaffSessionUse,
  type StaffSession
} from "@trailbook/core/staff/sign-in/StaffSession"
import * as Instant from "@trailbook/core/time/Instant"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"

const hour = 3_600_000
const startedAt = Instant.make(1_800_000_000_000)

const first: StaffSession = {
  id: "login",
  orgId: "org",
  staffId: "ann",
  digest: "",
  way: "link",
  device: "",
  createdAt: startedAt,
  lastUsedAt: startedAt,
  expiresAt: Instant.make(startedAt + 14 * 24 * hour),
  endedAt: null
}

const steps = FastCheck.array(
  FastCheck.record({
    tag: FastCheck.constantFrom("Use", "Use", "Use", "End"),
    afterMs: FastCheck.oneof(FastCheck.nat(2 * hour), FastCheck.nat(16 * 24 * hour))
  }),
  { minLength: 1, maxLength: 20 }
)

it("accepts a sign-in session until it ends or is unused for 14 days", () => {
  const counts = { refused: 0, noted: 0, quiet: 0 }
  FastCheck.assert(
    FastCheck.property(steps, (steps) => {
      let login = first
      let now = startedAt
      // The test tracks the last use and the end of the session independently of the decider.
      let lastNoted: number = startedAt
      let isOver = false
      for (const { afterMs, tag } of steps) {
        now = Instant.make(now + afterMs)
        isOver ||= now - lastNoted >= 14 * 24 * hour
        expect(isStaffSessionOpen(login, now)).toBe(!isOver)
        if (tag === "End") {
          login = endStaffSession(login, now)
          isOver = true
          continue
        }
        const result = recordStaffSessionUse(login, now)
        expect(Either.isRight(result)).toBe(!isOver)
        if (Either.isLeft(result)) {
          expect(result.left.code).toBe("unauthorized")
          counts.refused++
          continue
        }
        const state = result.right
        expect(state !== login).toBe(now - lastNoted >= hour)
        if (state !== login) {
          lastNoted = now
          counts.noted++
        } else counts.quiet++
        expect(state).toEqual({ ...login, lastUsedAt: lastNoted, expiresAt: lastNoted + 14 * 24 * hour })
        login = state
      }
    }),
    { numRuns: 500 }
  )
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(100)
})
