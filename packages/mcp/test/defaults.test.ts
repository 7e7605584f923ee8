import { customersList } from "@trailbook/core/customer"
import { assert, it } from "vitest"
import { defaultLimit, maxRows, withDefaults } from "../src/tool/defaults.ts"

it("a list for an assistant has at most 100 rows, and an invalid limit reaches the operation", () => {
  const limitOf = (input: { readonly limit?: number }) => withDefaults(customersList, input)["limit"]
  assert.strictEqual(limitOf({}), defaultLimit)
  assert.deepStrictEqual([1, 100, 101, 500].map((limit) => limitOf({ limit })), [1, 100, maxRows, maxRows])
  assert.strictEqual(limitOf({ limit: 501 }), 501)
})
