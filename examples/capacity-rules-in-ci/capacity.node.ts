import { test } from "node:test"
import { laws } from "./laws.ts"

for (const law of laws) await test(law.name, law.run)
