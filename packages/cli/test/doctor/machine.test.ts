import { describe, expect, it } from "vitest"
import { checkNodeVersion, checkSystemClock, checkTimeZoneData } from "../../src/doctor/checkMachine.ts"

const now = Date.UTC(2027, 0, 1)

describe("the machine check", () => {
  it.each([["v20.19.0", true], ["v20.20.2", true], ["v22.1.0", true], ["v20.18.3", false], ["v18.20.0", false]])(
    "reports whether Node %s is supported: %s",
    (version, good) => {
      expect(checkNodeVersion(version).fix === undefined).toBe(good)
    }
  )

  it("accepts this machine's time zone data", () => {
    expect(checkTimeZoneData(process.versions.tz).fix).toBeUndefined()
  })

  it.each([
    ["a plausible time", now, undefined, true],
    ["just after the newest event", now, now - 1, true],
    ["a minute before the newest event, because machine clocks differ", now, now + 59_000, true],
    ["an hour before the newest event", now, now + 3_600_000, false],
    ["before this release", Date.UTC(2020, 0, 1), undefined, false],
    ["1970", 0, undefined, false],
    ["in a hundred years", Date.UTC(2126, 0, 1), undefined, false]
  ])("reports whether the clock is correct if it shows %s", (_, time, latest, good) => {
    expect(checkSystemClock(time, latest).fix === undefined).toBe(good)
  })
})
