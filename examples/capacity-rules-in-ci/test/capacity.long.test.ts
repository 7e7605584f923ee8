import { test } from "vitest"
import { laws } from "../laws.ts"

for (const law of laws) test(law.name, law.run, 60_000)
