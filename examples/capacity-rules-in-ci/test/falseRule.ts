import * as Memory from "@trailbook/memory"
import { capacityLaws } from "@trailbook/rules"
import { offerings, startsInOneHour } from "../outfit.ts"

const [trips, ...others] = offerings

/** The capacity is raised, but the number of guides is not, so the rule fails. */
export const falseRule = capacityLaws({
  storage: Memory.layer,
  timezone: "America/Denver",
  offerings: [{ ...trips, capacity: 3 }, ...others],
  rules: [{ name: "at most two guided trips start in the same hour", check: startsInOneHour }],
  seed: 5
}).slice(-1)
