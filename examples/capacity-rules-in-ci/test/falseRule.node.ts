import { test } from "node:test"
import { falseRule } from "./falseRule.ts"

for (const law of falseRule) await test(law.name, law.run)
