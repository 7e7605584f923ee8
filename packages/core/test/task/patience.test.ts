import { failuresOfADay, fiveDays, minutesTried, minutesUntilNext } from "@trailbook/core/task/patience"
import { expect, it } from "vitest"

const day = 24 * 60

it("how long a task was tried is the sum of what was waited", () => {
  let waited = 0
  for (let attempts = 0; attempts < 100; attempts++) {
    expect(minutesTried(attempts)).toBe(waited)
    waited += minutesUntilNext(attempts)
  }
})

it("a task waits a minute after its first failure, and never more than 6 hours", () => {
  expect([0, 1, 2, 3, 8, 9, 1000].map(minutesUntilNext)).toEqual([1, 2, 4, 8, 256, 360, 360])
})

it("the failures of a day are the first that take one", () => {
  expect(minutesTried(failuresOfADay - 1)).toBeGreaterThanOrEqual(day)
  expect(minutesTried(failuresOfADay - 2)).toBeLessThan(day)
})

it("what is tried for five days is tried 29 times", () => {
  const attempts = Array.from({ length: 100 }, (_, at) => at).filter((at) => minutesTried(at) < fiveDays)
  expect(attempts.length + 1).toBe(29)
})
