/**
 * Who is told that a unit of work is committed may be told after others, whose
 * units were committed after it, have been told: a database under load answers
 * in any order. No law may take the one order for the other.
 */
import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import * as Memory from "@trailbook/memory"
import * as Effect from "effect/Effect"
import { pathSuite } from "../../../test/pathSuite.ts"
import { broken } from "./broken.ts"

const answersLate = broken(UnitOfWork, ({ run }) => {
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
