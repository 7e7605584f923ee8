import { it } from "vitest"
import { quoteEqualsOracle } from "./quoteProperty.ts"

it("quote matches an independent implementation for 10,000 random prices", () => {
  quoteEqualsOracle(10_000)
}, 120_000)
