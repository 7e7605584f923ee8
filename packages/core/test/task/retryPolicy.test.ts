import {
  failuresPerDay,
  getMinutesSinceFirstAttempt,
  getRetryDelayMinutes,
  mailRetryLimitMinutes
} from "@trailbook/core/task/Handler"
import { expect, it } from "vitest"

const day = 24 * 60

it("computes the elapsed time as the sum of all delays", () => {
  let totalMinutes = 0
  for (let attempts = 0; attempts < 100; attempts++) {
    expect(getMinutesSinceFirstAttempt(attempts)).toBe(totalMinutes)
    totalMinutes += getRetryDelayMinutes(attempts)
  }
})

it("doubles the delay from 1 minute up to 6 hours", () => {
  expect([0, 1, 2, 3, 8, 9, 1000].map(getRetryDelayMinutes)).toEqual([1, 2, 4, 8, 256, 360, 360])
})

it("counts the failures during the first day of retries", () => {
  expect(getMinutesSinceFirstAttempt(failuresPerDay - 1)).toBeGreaterThanOrEqual(day)
  expect(getMinutesSinceFirstAttempt(failuresPerDay - 2)).toBeLessThan(day)
})

it("attempts a task 29 times in five days", () => {
  const attempts = Array.from({ length: 100 }, (_, at) => at).filter((at) =>
    getMinutesSinceFirstAttempt(at) < mailRetryLimitMinutes
  )
  expect(attempts.length + 1).toBe(29)
})
