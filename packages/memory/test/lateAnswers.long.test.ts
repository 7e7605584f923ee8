/**
 * A database under load can confirm commits out of order. No law may assume that confirmations arrive in commit order.
 */
import { UnitOfWork } from "@trailbook/core/port"
import * as Memory from "@trailbook/memory"
import * as Effect from "effect/Effect"
import { pathSuite } from "../../../test/pathSuite.ts"
import { breakPort } from "./brokenStorage.ts"

const answersLate = breakPort(UnitOfWork, ({ run }) => {
  let units = 0
  return {
    run: (unit) =>
      Effect.suspend(() => {
        units += 1
        return Effect.zipLeft(run(unit), units % 2 === 0 ? Effect.void : Effect.repeatN(Effect.yieldNow(), 200))
      })
  }
})

pathSuite("memory, every other unit of which is answered late", answersLate, { reference: Memory.layer })
