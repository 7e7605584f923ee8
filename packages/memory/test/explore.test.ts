import * as Memory from "@trailbook/memory"
import { laws } from "@trailbook/testkit/laws"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { it } from "vitest"
import { layer } from "./readCommitted.ts"

for (const locking of ["sorted", "none"] as const)
it("explore" + locking, async () => {
  for (const { key, check } of laws.filter(({key}) => /^(race)/.test(key))) {
    const exit = await Effect.runPromiseExit(
      Effect.timeoutFail(Effect.provide(check({ runs: 400, shrink: false, reference: Memory.layer }), Layer.fresh(layer(locking))), {duration: "60 seconds", onTimeout: () => "timeout"})
    )
    console.log(Exit.isSuccess(exit) ? "pass" : "FAIL", locking, key, Exit.isSuccess(exit) ? "" : String(exit.cause).slice(0, 350).replace(/\n/g, " "))
  }
}, 600000)
