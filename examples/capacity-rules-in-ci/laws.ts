import * as Memory from "@trailbook/memory"
import { capacityLaws, type OfferingSetup } from "@trailbook/rules"
import { offerings, raftsDry, startsInOneHour } from "./outfit.ts"

export const outfit: OfferingSetup = {
  storage: Memory.layer,
  timezone: "America/Denver",
  offerings,
  rules: [
    { name: "at most two guided trips start in the same hour", check: startsInOneHour },
    { name: "each raft has half an hour between trips", check: raftsDry }
  ]
}

export const laws = capacityLaws(outfit)
