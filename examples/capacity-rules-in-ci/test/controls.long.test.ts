import { ruleControls } from "@trailbook/rules"
import { test } from "vitest"
import { outfit } from "../laws.ts"

for (const control of ruleControls({ ...outfit, runs: 40, seed: 5 })) {
  test(control.name, async () => console.log((await control.run()).text), 300_000)
}
